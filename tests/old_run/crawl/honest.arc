filedesc://honest.arc 192.0.2.1 20200102030405 text/plain 76
1 0 InternetArchive
URL IP-address Archive-date Content-type Archive-length

http://honest-0.test/ 192.0.2.1 20200102030405 text/html 242
HTTP/1.1 200 OK
Content-Type: text/html

<div>parked for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale </div>
http://honest-0.test/0.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 0: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>0 0 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>0 0 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>0 0 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-0.test/1.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 1: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>0 1 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>0 1 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>0 1 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-0.test/2.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 2: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>0 2 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>0 2 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>0 2 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-0.test/3.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 3: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>0 3 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>0 3 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>0 3 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-1.test/ 192.0.2.1 20200102030405 text/html 242
HTTP/1.1 200 OK
Content-Type: text/html

<div>parked for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale </div>
http://honest-1.test/0.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 0: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>1 0 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>1 0 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>1 0 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-1.test/1.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 1: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>1 1 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>1 1 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>1 1 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-1.test/2.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 2: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>1 2 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>1 2 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>1 2 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-1.test/3.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 3: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>1 3 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>1 3 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>1 3 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-2.test/ 192.0.2.1 20200102030405 text/html 242
HTTP/1.1 200 OK
Content-Type: text/html

<div>parked for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale </div>
http://honest-2.test/0.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 0: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>2 0 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>2 0 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>2 0 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-2.test/1.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 1: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>2 1 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>2 1 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>2 1 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-2.test/2.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 2: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>2 2 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>2 2 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>2 2 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-2.test/3.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 3: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>2 3 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>2 3 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>2 3 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-3.test/ 192.0.2.1 20200102030405 text/html 242
HTTP/1.1 200 OK
Content-Type: text/html

<div>parked for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale </div>
http://honest-3.test/0.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 0: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>3 0 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>3 0 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>3 0 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-3.test/1.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 1: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>3 1 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>3 1 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>3 1 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-3.test/2.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 2: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>3 2 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>3 2 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>3 2 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-3.test/3.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 3: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>3 3 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>3 3 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>3 3 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-4.test/ 192.0.2.1 20200102030405 text/html 242
HTTP/1.1 200 OK
Content-Type: text/html

<div>parked for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale </div>
http://honest-4.test/0.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 0: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>4 0 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>4 0 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>4 0 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-4.test/1.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 1: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>4 1 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>4 1 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>4 1 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-4.test/2.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 2: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>4 2 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>4 2 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>4 2 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-4.test/3.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 3: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>4 3 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>4 3 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>4 3 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-5.test/ 192.0.2.1 20200102030405 text/html 242
HTTP/1.1 200 OK
Content-Type: text/html

<div>parked for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale for sale </div>
http://honest-5.test/0.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 0: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>5 0 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>5 0 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>5 0 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-5.test/1.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 1: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>5 1 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>5 1 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>5 1 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-5.test/2.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 2: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>5 2 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 0
<p>5 2 1 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 1
<p>5 2 2 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 2

http://honest-5.test/3.html 192.0.2.1 20200102030405 text/html 635
HTTP/1.1 200 OK
Content-Type: text/html

<p>copied 3: what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere what is sold everywhere </p>
<p>5 3 0 of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own of its own 