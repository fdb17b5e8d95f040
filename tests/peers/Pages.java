import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Paths;
import org.netpreserve.jwarc.*;

/** Writes the URL and the body of each page in an archive, each behind its length. */
public class Pages {
    public static void main(String[] args) throws IOException {
        DataOutputStream out = new DataOutputStream(System.out);
        WarcReader reader = new WarcReader(Paths.get(args[0]));
        for (WarcRecord record : reader) {
            MessageBody body;
            if (record instanceof WarcResponse
                    && record.contentType().base().equals(MediaType.HTTP)) {
                body = ((WarcResponse) record).http().bodyDecoded();
            } else if (record instanceof WarcResponse || record instanceof WarcResource
                    || record instanceof WarcConversion) {
                body = record.body();
            } else {
                continue;
            }
            byte[] url = ((WarcTargetRecord) record).target().getBytes("UTF-8");
            byte[] data;
            try {
                data = body.stream().readAllBytes();
            } catch (IOException error) {
                System.err.println(error);
                continue;
            }
            out.writeInt(url.length);
            out.write(url);
            out.writeInt(data.length);
            out.write(data);
            out.flush();
        }
    }
}
