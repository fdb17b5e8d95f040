"""How `synth` makes a crawl: sites, pages, planted copies, hostile pages, damage."""
