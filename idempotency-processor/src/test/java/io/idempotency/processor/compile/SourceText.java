package io.idempotency.processor.compile;

import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.SimpleJavaFileObject;

/** One compilation unit in memory. Its package and class are read from the text. */
final class SourceText extends SimpleJavaFileObject {

    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern TYPE = Pattern.compile(
            "^(?:@\\S+ )*(?:(?:public|abstract|final|sealed|non-sealed) )*(?:class|interface|record|enum|@interface) ([\\w$]+)",
            Pattern.MULTILINE);

    private final String text;

    SourceText(String text) {
        super(URI.create("string:///" + path(text)), Kind.SOURCE);
        this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }

    private static String path(String text) {
        Matcher pack = PACKAGE.matcher(text);
        String folder = pack.find() ? pack.group(1).replace('.', '/') + "/" : "";
        Matcher type = TYPE.matcher(text);
        if (!type.find()) {
            throw new IllegalArgumentException("No top-level type in:\n" + text);
        }
        return folder + type.group(1) + ".java";
    }
}
