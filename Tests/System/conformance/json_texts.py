"""RFC 8259: values that are JSON and values that are not, in requests."""
from support.claims import compare, expect
from support.lines import PARAMS, PARSE
from .json_rpc import ANSWERED, STATUS

THE = "RFC 8259"


def quoted(*contents):
    return [b'"' + content + b'"' for content in contents]


# Clause, claim, values that must be read, and values that must be refused.
VALUES = [
    ("§2", "space, tab and carriage return may surround every token",
     [b" 1 ", b"\t[\t1\t,\t2\t]\t", b"\r{\r}\r", b' { "a" : [ ] } '], []),
    ("§2", "no other character is white space, and there are no comments",
     [], [b"\x0b1", b"\x0c1", b"1\x00", b"\xc2\xa01", b"\xe2\x80\xa81", b"\xe2\x81\xa01", b"\xef\xbb\xbf1", b"/**/1", b"[1//\r]", b"#1"]),
    ("§2", "structural characters stand in pairs and in their places",
     [b"[[[]]]", b'{"a":[{}]}'],
     [b"[", b"{", b"[[]", b"[}", b"{]", b"]", b"}", b"", b",", b":", b"[1 2]", b"[1;2]", b"[:]", b"[1]]", b'{"a":1}}', b'{"a":[}']),
    ("§3", "the literal names are true, false and null, in lowercase",
     [b"true", b"false", b"null", b"[true,false,null]"],
     [b"True", b"NULL", b"tru", b"fals", b"nul", b"truefalse", b"nulll", b"undefined", b"nan", b"None", b"\xef\xbd\x8eull"]),
    ("§4", "members are names in quotes, colons, and values between commas",
     [b"{}", b'{"":0}', b'{"a":{"a":{"a":1}}}', b'{"a":1,"A":2}', b'{"\xc3\xa9":1,"e\xcc\x81":2}'],
     [b"{,}", b'{"a"}', b'{"a":}', b'{"a":1,}', b'{"a":1,,"b":2}', b'{,"a":1}', b"{a:1}", b"{'a':1}", b"{1:1}", b"{null:1}", b"{[]:1}",
      b'{"a" 1}', b'{"a"=1}', b'{"a"::1}', b'{"a":1 "b":2}', b'{"a":1;"b":2}', b'{"a","b"}', b'{"a":"b":"c"}', b'{"a":1']),
    ("§4", "a name that is repeated, after which readers differ, is refused, by §8.3 however it is escaped",
     [b'{"a":{"b":1},"c":{"b":1}}', b'{"a\\\\u0061":1,"aa":2}'],
     [b'{"a":1,"a":1}', b'{"a":1,"b":2,"a":3}', b'{"a":1,"\\u0061":2}', b'{"":1,"":2}', b'{"/":1,"\\/":2}', b'{"b":[{"a":1,"a":2}]}',
      '{"é":1,"\\u00E9":2}'.encode(), '{"\\ud83d\\ude00":1,"😀":2}'.encode()]),
    ("§5", "elements of any types stand between commas",
     [b"[]", b'[1,"a",null,true,{},[]]', b"[[],[[]]]"], [b"[1,]", b"[,1]", b"[,]", b"[1,,2]", b"[1", b"[1,", b"[1,\r]", b"(1)", b"1,2"]),
    ("§6", "a number has an optional minus, an integer without leading zeros, a fraction and an exponent",
     [b"0", b"-0", b"1", b"-1", b"10", b"0.0", b"-0.0", b"0.5", b"1.25", b"0e0", b"1e5", b"1E5", b"1e+5", b"1e-5", b"1.5E-05",
      b"-1.5e+005", b"1e00"],
     [b"01", b"-01", b"00", b"-", b"--1", b"+1", b"- 1", b".5", b"-.5", b"1.", b"-1.", b"1.e1", b"2.e-3", b"1e", b"1e+", b"1E-", b"1ea",
      b"1e+-1", b"1eE2", b"1e5.5", b"1.5.2", b"0x10", b"0b1", b"1_000", b"1 000", b"1-2", b"0e", b"0.e1", b"1a", b"-a",
      "١".encode(), "１".encode(), "−1".encode()]),
    ("§6", "NaN and the infinities are not numbers", [], [b"NaN", b"-NaN", b"Infinity", b"-Infinity", b"+Infinity", b"inf", b"-inf"]),
    ("§6", "a number may have any magnitude and precision",
     [b"123456789012345678901234567890", b"1e400", b"-1e400", b"1e-400", b"0.1000000000000000055511151231257827", b"9" * 2000,
      b"1e99999999999"], []),
    ("§7", "the two-character escapes, and four hexadecimal digits in either case",
     quoted(b"", b'\\"\\\\\\/\\b\\f\\n\\r\\t', b"\\u0000", b"\\u00e9\\u00E9", b"\\uABCD\\uabcd", b"\\\\u0061", b"\\u005c\\u0022"),
     quoted(b"\\a", b"\\'", b"\\0", b"\\v", b"\\x41", b"\\U0041", b"\\ ", b"\\\xc3\xa9", b"\\\t", b"\\u", b"\\u1", b"\\u12",
            b"\\u123", b"\\u00g0", b"\\u-001", b"\\u 041", b"\\u{41}", b"\\", b"\\\\\\")),
    ("§7", "control characters up to U+001F must be escaped", [], quoted(*(b"a" + bytes([byte]) + b"b" for byte in range(0x20) if byte != 0x0A))),
    ("§7", "every other character may stand unescaped",
     quoted(b"/", b"'", b"\x7f", *(text.encode() for text in ("\x80", "\u2028\u2029", "\ufeff", "\ufdd0\ufffe\uffff", "\U0010ffff"))),
     []),
    ("§7", "a string begins and ends with a quotation mark", [b'"a"'],
     [b'"a', b'a"', b'"', b"'a'", b"`a`", "“a”".encode(), b"a", b'"a"b"']),
    ("§8.1", "the first and last sequences of UTF-8 of each length are read",
     quoted(b"\xc2\x80", b"\xdf\xbf", b"\xe0\xa0\x80", b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbf", b"\xf0\x90\x80\x80",
            b"\xf4\x8f\xbf\xbf"), []),
    ("§8.1", "what is not UTF-8 is refused: lone, overlong, cut, surrogate and too large sequences",
     [], quoted(b"\x80", b"\xbf", b"\xc0\x80", b"\xc0\xaf", b"\xc1\xbf", b"\xc3", b"\xc3\x28", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xe2\x82",
                b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80", b"\xf0\x80\x80\x80", b"\xf0\x9f\x98", b"\xf4\x90\x80\x80",
                b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfe", b"\xff", "é".encode("latin-1"))),
    ("§8.2", "escaped surrogates in pairs are one character, and unpaired ones, after which readers differ, are refused",
     quoted(b"\\ud83d\\ude00", b"\\uD800\\uDC00", b"\\uDBFF\\uDFFF", b"\\ufffe\\uffff"),
     quoted(b"\\ud800", b"\\udc00", b"\\ud800x", b"\\ud800\\n", b"\\ud800\\u0041", b"\\ud800\\ud800", b"\\udc00\\ud800",
            b"\\ud800\\ud800\\udc00", b"\\ud800\\udc00\\udc00", b"\\ud83dude00", b"\\ud83d\\u", b"\\uD83D\\\\uDE00")),
]


def request(value):
    """A request with a value in a parameter that does not exist, so that it is refused in any case, but not as a parse error."""
    return b'{"jsonrpc":"2.0","id":1,"method":"status","params":{"x":%s}}' % value


def check(report, subject):
    """Runs all checks."""
    for clause, claim, good, bad in VALUES:
        report.check(f"{THE} {clause}, in a request", claim, requests, subject, good, bad)


def requests(subject, good, bad):
    """Sends values in requests, on one connection, which must go on working."""
    lines = [request(value) for value in good + bad]
    replies = subject.replies(b"\n".join([*lines, STATUS]))
    expect(len(replies) == len(lines) + 1, f"{len(lines) + 1} lines got {len(replies)} replies")
    for line, reply in zip(lines, replies):
        is_good = line in map(request, good)
        outcome = reply["error"]["data"]["reason"]
        expect(outcome == (PARAMS if is_good else PARSE)[1], f"{line[:200]} was answered {outcome}: {reply['error']['message']}")
    compare(replies[-1], ANSWERED)
