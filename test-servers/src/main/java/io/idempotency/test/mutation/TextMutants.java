package io.idempotency.test.mutation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the mutants of a text, by rules: each is the whole text with one place changed. */
public final class TextMutants {

    /**
     * One rule.
     *
     * @param place what it changes, by a regular expression
     * @param instead what stands there afterwards, with references to groups
     */
    public record Rule(Pattern place, String instead) {
        static Rule of(String place, String instead) {
            return new Rule(Pattern.compile(place), instead);
        }
    }

    /** The rules for SQL. Parameters stay, and a condition or an assignment that has one loses its meaning only. */
    public static final List<Rule> SQL = List.of(
            Rule.of(
                    "(?<=AND )(\\(?)((?:[a-z_.]+|\\?) (?:=|<>|<=|>=|<|>) [^()]*?)(?= AND | OR |\\)| ORDER | FETCH |$)",
                    "$1(1 = 1 OR $2)"),
            Rule.of(
                    "(?<=WHERE )((?:[a-z_.]+|\\?) (?:=|<>|<=|>=|<|>) [^()]*?)(?= AND | OR | ORDER |$)",
                    "(1 = 1 OR $1)"),
            Rule.of("\\bAND (?=\\(|[a-z?])", "OR "),
            Rule.of("\\bOR (?=\\(|[a-z?N])", "AND "),
            Rule.of("\\bNOT (?=\\()", ""),
            Rule.of("\\bIS NOT NULL", "IS NULL"),
            Rule.of("\\bIS NULL", "IS NOT NULL"),
            Rule.of("<=", "<"),
            Rule.of("<=", ">"),
            Rule.of(">=", ">"),
            Rule.of(">=", "<"),
            Rule.of("<>", "="),
            Rule.of("(?<![<>-])>(?!=)", ">="),
            Rule.of("(?<![<>-])>(?!=)", "<"),
            Rule.of("\\bGREATEST\\b", "LEAST"),
            Rule.of(
                    "(?<=(?:SET|,) )([a-z_]+) = (?!CASE)([^,()]*?|[^,()]*\\([^()]*\\)[^,()]*?)(?=,| FROM| WHERE)",
                    "$1 = COALESCE($1, $2)"),
            Rule.of("(?<=\\)|[a-z_?]) \\+ (?=[\\w?(])", " - "),
            Rule.of("'IN_PROGRESS'", "'COMPLETED'"),
            Rule.of("'IN_DOUBT'", "'FAILED'"),
            Rule.of("'COMPLETED'", "'FAILED'"),
            Rule.of("'FAILED'", "'COMPLETED'"),
            Rule.of("\\bFALSE\\b", "TRUE"),
            Rule.of("\\b1\\b(?= ELSE)", "2"),
            Rule.of("\\battempt \\+ 1", "attempt"));

    /** Without brackets, or with as many closed as opened, three levels deep. */
    private static final String WHOLE = "(?:[^()\\n]|\\((?:[^()\\n]|\\((?:[^()\\n]|\\([^()\\n]*\\))*\\))*\\))";

    /** The rules for Lua. What does not compile afterwards is no mutant: who runs them leaves it out. */
    public static final List<Rule> LUA = List.of(
            Rule.of("\\bif ((?:(?!\\bthen\\b|--)[\\s\\S])+?) then\\b", "if not ($1) then"),
            Rule.of("\\bif ((?:(?!\\bthen\\b|--)[\\s\\S])+?) then\\b", "if ($1) and false then"),
            Rule.of("(\\b(?:if|return|and|or|=) )(?!not |function|nil)(" + WHOLE + "+?) and (?=[\\w#(])", "$1"),
            Rule.of("\\s+and " + WHOLE + "+?(?=\\s+and | or | then\\b|\\n|$)", ""),
            Rule.of("\\s+or " + WHOLE + "+?(?=\\s+or | and | then\\b|\\n|$)", ""),
            Rule.of("\\band\\b", "or"),
            Rule.of("\\bor\\b", "and"),
            Rule.of("\\bnot ", ""),
            Rule.of("==", "~="),
            Rule.of("~=", "=="),
            Rule.of("<=", "<"),
            Rule.of("<=", ">"),
            Rule.of(">=", ">"),
            Rule.of(">=", "<"),
            Rule.of(" < ", " <= "),
            Rule.of(" < ", " >= "),
            Rule.of(" > ", " >= "),
            Rule.of(" > ", " <= "),
            Rule.of(" \\+ (?=[\\w#(])", " - "),
            Rule.of(" - (?=[\\w#(])", " + "),
            Rule.of(" \\+ 1\\b", ""),
            Rule.of("\\bmath\\.max\\b", "math.min"),
            Rule.of("(?<=\\W)60000\\b", "0"),
            Rule.of(
                    "(?m)^( +)(?:redis\\.p?call|touch|index|seen|close|tell|forget|settle|put)(?=\\()",
                    "$1local _ = (function() return 0 end)"),
            Rule.of("\\btostring\\(", "("),
            Rule.of("\\bIN_PROGRESS\\b(?!, IN_DOUBT)", "IN_DOUBT"),
            Rule.of("\\bCOMPLETED\\b(?!, FAILED)", "FAILED"),
            Rule.of("(?<!, )\\bFAILED\\b(?!, ABSENT)", "COMPLETED"),
            Rule.of("\\bWAITED\\b(?! =)", "UNTOLD"),
            Rule.of("(?<=[(, ])0(?=[,)\\n])", "1"),
            Rule.of("\\btrue\\b", "false"),
            Rule.of("return (?:stale|answer)\\(.*\\)", "return now_us"),
            Rule.of("(?<=return )now_us$", "stale()"));

    private TextMutants() {}

    /**
     * All mutants of a text.
     *
     * @param text the text
     * @param rules how it is broken
     * @return by their names, which say where and how
     */
    public static Map<String, String> of(String text, List<Rule> rules) {
        Map<String, String> mutants = new LinkedHashMap<>();
        for (Rule rule : rules) {
            Matcher place = rule.place().matcher(text);
            while (place.find()) {
                if (!inComment(text, place.start())) {
                    StringBuilder changed = new StringBuilder();
                    Matcher once = rule.place().matcher(text);
                    once.find(place.start());
                    once.appendReplacement(changed, rule.instead());
                    String instead = changed.substring(place.start());
                    once.appendTail(changed);
                    add(mutants, named(text, place, instead), changed.toString());
                }
            }
        }
        return mutants;
    }

    /** Two places whose surroundings are alike are two mutants. */
    private static void add(Map<String, String> mutants, String name, String text) {
        if (mutants.containsValue(text)) {
            return;
        }
        String distinct = name;
        for (int i = 2; mutants.containsKey(distinct); i++) {
            distinct = name + " #" + i;
        }
        mutants.put(distinct, text);
    }

    private static boolean inComment(String text, int at) {
        return text.lastIndexOf("--", at) > text.lastIndexOf('\n', at);
    }

    /** By what stands around, rather than by a line's number, which changes with every edit. */
    private static String named(String text, Matcher place, String instead) {
        List<String> lines =
                new ArrayList<>(List.of(text.substring(0, place.start()).split("\n", -1)));
        String before = lines.get(lines.size() - 1);
        String after = text.substring(place.end()).split("\n", 2)[0];
        String around = before.substring(Math.max(0, before.length() - 60)) + "[" + place.group() + " -> " + instead
                + "]" + after.substring(0, Math.min(40, after.length()));
        return around.strip().replaceAll("\\s+", " ");
    }
}
