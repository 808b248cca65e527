"""RFC 9110: dates and seconds in Retry-After, from an origin that answers 503."""
import calendar
import time

from support.claims import expect
from support.daemon import Daemon
from support.origin import Origin
from support.times import seconds

THE = "RFC 9110"
IMF = "%a, %d %b %Y %H:%M:%S GMT"
RFC850 = "%A, %d-%b-%y %H:%M:%S GMT"
ASCTIME = "%a %b %e %H:%M:%S %Y"
LONGEST = 86_400  # seconds; promod waits no longer, whatever the origin says
YEAR = 365.25 * 86_400


class BusyOrigin(Origin):
    """Answers 503 with a Retry-After, and nothing else."""

    retry_after = b""

    def reply_to(self, request):
        return b"503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After:%s\r\n" % self.retry_after, b""


def after(delay, form):
    """A date that comes after so many seconds, in one of the forms."""
    return time.strftime(form, time.gmtime(time.time() + delay))


def check(report, binary):
    """Runs all checks, each with a daemon that knows nothing of the others."""
    for clause, claim, values, delay in cases():
        report.check(f"{THE} {clause}", claim, obeyed, binary, values, delay)


def obeyed(binary, values, delay):
    """The daemon waits for that many seconds, or as if there were no Retry-After if the delay is None."""
    for value in values:
        daemon = Daemon(binary)
        origin = BusyOrigin(daemon.directory)
        origin.retry_after = value.encode()
        origin.open()
        try:
            daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
            asked = time.time()
            daemon.start()
            daemon.ask("list", wait=True)
            refresh = daemon.ask("status")["refresh"]
            came = time.time()
        finally:
            daemon.stop()
            origin.close()
        expect(refresh["lastError"]["code"] == "http-status", f"the origin was not asked: {refresh}")
        if delay is None:
            expect(refresh["reason"] == "retry", f"Retry-After:{value} is obeyed, until {refresh['nextAt']}")
        else:
            expect(refresh["reason"] == "retryAfter", f"Retry-After:{value} is not obeyed: the reason is {refresh['reason']}")
            # A date was written before the request, and times have whole seconds.
            expect(asked + delay - 3 <= seconds(refresh["nextAt"]) <= came + delay + 1, f"Retry-After:{value} is until {refresh['nextAt']}")


def cases():
    """Clause, claim, values of Retry-After, and the delay in seconds; None for values that are not valid."""
    yield "§10.2.3", "digits are seconds", [" 90", " 0090"], 90
    yield "§10.2.3", "more seconds than fit into 64 bits are the longest delay", [" 999999999999999999999999"], LONGEST
    yield ("§10.2.3", "a value that is neither digits nor a date is no Retry-After",
           [" -90", " +90", " 90.0", " 9e1", " 90s", " 0x5a", " 90, 90", " soon", ' "90"', ""], None)
    yield "§5.5", "spaces around a value are no part of it", ["90", "   90  "], 90
    yield "§5.5", "tabs around a value are no part of it", ["\t90", " 90\t", " \t 90 \t "], 90
    hour = 3600
    yield "§5.6.7", "a recipient reads the preferred form, IMF-fixdate", [" " + after(hour, IMF)], hour
    yield "§5.6.7", "a recipient reads the obsolete form rfc850-date", [" " + after(hour, RFC850)], hour
    yield "§5.6.7", "a recipient reads the obsolete form asctime-date", [" " + after(hour, ASCTIME)], hour
    yield ("§5.6.7", "a recipient should be robust, and the name of the day is not compared with the date",
           [" Mon" + after(hour, IMF)[3:], " Tue" + after(hour, IMF)[3:]], hour)
    yield "§5.6.7", "two digits of a year mean the future if that is up to 50 years away", [" " + after(49 * YEAR, RFC850)], LONGEST
    yield ("§5.6.7", "two digits of a year mean the past if they would be more than 50 years in the future",
           [" " + after(51 * YEAR, RFC850), " " + after(98 * YEAR, RFC850)], None)
    # The last day that still lasts for a minute, so that it does not end during the check.
    day = time.gmtime(time.time() + 60)
    delay = min(calendar.timegm(day) // 86_400 * 86_400 + 86_400 - time.time(), LONGEST)
    yield ("§5.6.7", "a time of day may be the leap second 23:59:60",
           [" " + time.strftime(form.replace("%H:%M:%S", "23:59:60"), day) for form in (IMF, RFC850, ASCTIME)], delay)
    yield ("§5.6.7", "dates are case-sensitive, and their zone is GMT",
           [" " + after(hour, IMF[:-3] + zone) for zone in ("gmt", "UTC", "+0000", "EST")] + [" " + after(hour, IMF).upper()], None)
    yield ("§5.6.7", "a date or a time of day that does not exist is not valid",
           [" Sun, 31 Feb 2094 08:49:37 GMT", " Sun, 00 Nov 2094 08:49:37 GMT", " Sun, 06 Nov 2094 24:00:00 GMT",
            " Sun, 06 Nov 2094 08:60:00 GMT", " Sun, 06 Nov 2094 08:49:61 GMT"], None)
    yield "§10.2.3", "a date in the past holds nothing back", [" Sun, 06 Nov 1994 08:49:37 GMT", " Sun Nov  6 08:49:37 1994", " 0"], None
