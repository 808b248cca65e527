"""The catalog that is made of metainfo files."""
import json
import re

from support.files import write
from support.shop import check
from .programs import EXAMPLES

METAINFO = """<component type="desktop-application">
  <id>com.example.Book_ary.desktop</id>
  <name xml:lang="ko">부커리</name><name>Bookary</name>
  <summary>A diary for the books you read</summary>
  <summary xml:lang="ko">읽은 책을 위한 다이어리</summary><summary xml:lang="de">Tagebuch</summary>
  <categories><category>GTK</category><category>Reading</category></categories>
  <icon type="stock">bookary</icon><icon type="remote">https://example.com/bookary.png</icon>
  <url type="bugtracker">https://example.com/bugs</url><url type="homepage">https://example.com/bookary</url>
</component>"""
ADD_ON = '<component type="addon"><id>com.example.More</id></component>'
ID = "com-example-book-ary"
APP = {
    "id": ID, "name": "Bookary", "iconURL": "https://example.com/bookary.png", "category": "Reading",
    "tagline": {"en": "A diary for the books you read", "ko": "읽은 책을 위한 다이어리"}, "storeURLs": {"linux": "https://example.com/bookary"}}
# Without what a catalog needs beside an id, and that with options.
LACKING = "\n".join(line for line in METAINFO.splitlines() if "component" in line or "<id>" in line)
GIVEN = {f"--{name}": f"{ID}={value}" for name, value in (
    ("name", "Book"), ("tagline", "Read"), ("category", "Books"), ("page", "https://example.com/?a=b"))}
GIVEN["--icon"] = "https://example.com/{id}.png"


def appstream(shop):
    """A whole metainfo file, one that lacks all, that with options, and what is none."""
    def make(text, *options, is_good=True):
        write(f"{shop.directory}/book.xml", text)
        done = shop.launch([f"{EXAMPLES}/catalog-from-appstream", *options, "book.xml"])
        shop.expect((done.returncode, not done.stderr, bool(done.stdout)) == (0 if is_good else 1, is_good, is_good), f"of {text} it makes {done}")
        if is_good:
            write(f"{shop.directory}/catalog.json", done.stdout)
            shop.expect_run("promoctl", "validate", "--strict", "catalog.json")
        return done.stdout or done.stderr
    shop.expect_equal(json.loads(make(METAINFO)), {"apps": [APP]}, "the catalog")
    asked = make(LACKING, is_good=False)
    for option in GIVEN:
        shop.expect(re.search(f"^book.xml: There is no {option[2:]}.* {option} {ID}=", asked, re.MULTILINE), f"it asks {asked}")
    shop.expect(f"https://example.com/{ID}.png" in make(LACKING, *sum(GIVEN.items(), ())), "an icon is not the given one")
    shop.expect('"https://flathub.org/apps/com.example.Book_ary"' in make(METAINFO, "--flathub"), "the page is not Flathub's")
    japanese = METAINFO.replace('"de">Tagebuch', '"ja_JP">日記')
    shop.expect_equal(json.loads(make(japanese))["apps"][0]["tagline"].get("ja"), "日記", "the tagline of ja_JP for ja")
    shop.expect("アプリ" in make(japanese.replace("<categories>", '<summary xml:lang="ja">アプリ</summary><categories>')), "ja is not preferred")
    write(f"{shop.directory}/more.xml", ADD_ON)
    done = shop.launch([f"{EXAMPLES}/catalog-from-appstream", "book.xml", "more.xml"])
    shop.expect(len(json.loads(done.stdout)["apps"]) == 1 and "more.xml: This is an add-on" in done.stderr, f"with an add-on it makes {done}")
    shop.expect("There is no app." in make(ADD_ON, is_good=False), "it makes a catalog of an add-on alone")
    for text in METAINFO.replace("com.example", "@id@"), "<html", "":
        make(text, is_good=False)


CHECKS = [check("appstream", "the catalog of a metainfo file is good, and what is missing is asked for, with the file and the option", appstream)]
