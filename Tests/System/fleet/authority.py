"""A certificate authority whose chains are as long as those of a public one, because most of a small exchange is the handshake."""
import random
import ssl
import subprocess

KEY = "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\ncertificatePolicies=2.23.140.1.2.1\n"
INTERMEDIATE = (
    "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature,keyCertSign,cRLSign\nextendedKeyUsage=clientAuth,serverAuth\n"
    "authorityInfoAccess=caIssuers;URI:http://root.authority.test/\ncrlDistributionPoints=URI:http://root.crl.authority.test/\n" + KEY)
# Two timestamps of Certificate Transparency, which nobody here verifies.
TIMESTAMPS = "0481f200f0" + random.Random(0).randbytes(240).hex()
LEAF = (
    "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth,clientAuth\n"
    "authorityInfoAccess=caIssuers;URI:http://intermediate.authority.test/\n"
    "crlDistributionPoints=URI:http://intermediate.crl.authority.test/1.crl\n"
    f"subjectAltName=DNS:{{name}}\n1.3.6.1.4.1.11129.2.4.2=DER:{TIMESTAMPS}\n" + KEY)


class Authority:
    """A root of RSA with 4096 bits."""

    def __init__(self, directory):
        self.directory = directory
        self.certificate = f"{directory}/root.pem"
        _openssl(
            "req", "-x509", "-newkey", "rsa:4096", "-nodes", "-days", "3", "-subj", "/C=XX/O=Security Research/CN=Test Root",
            "-keyout", f"{directory}/root.key", "-out", self.certificate)

    def certify(self, name, intermediates=1):
        """A chain for a server: a leaf of P-256 below so many intermediates of P-384, such as certbot gets by default."""
        issuer, names = "root", []
        for number in range(intermediates):
            names.append(f"{name}-{number}")
            self._sign(names[-1], issuer, "P-384", f"/C=XX/O=Test Authority/CN=T{number}", INTERMEDIATE)
            issuer = names[-1]
        self._sign(name, issuer, "P-256", f"/CN={name}", LEAF.format(name=name))
        return Chain(self.directory, [name, *reversed(names)])

    def _sign(self, name, issuer, curve, subject, extensions):
        path = f"{self.directory}/{name}"
        with open(f"{path}.extensions", "w", encoding="ascii") as file:
            file.write(extensions)
        _openssl(
            "req", "-newkey", "ec", "-pkeyopt", f"ec_paramgen_curve:{curve}", "-nodes", "-subj", subject,
            "-keyout", f"{path}.key", "-out", f"{path}.request")
        _openssl(
            "x509", "-req", "-in", f"{path}.request", "-CA", f"{self.directory}/{issuer}.pem", "-CAkey", f"{self.directory}/{issuer}.key",
            "-CAcreateserial", "-days", "3", "-sha384", "-extfile", f"{path}.extensions", "-out", f"{path}.pem")


class Chain:
    """The certificates that a server sends, and its key."""

    def __init__(self, directory, names):
        self.certificates, self.key = f"{directory}/{names[0]}.chain", f"{directory}/{names[0]}.key"
        self.length = 0  # In bytes, as sent.
        with open(self.certificates, "w", encoding="ascii") as chain:
            for name in names:
                with open(f"{directory}/{name}.pem", encoding="ascii") as file:
                    certificate = file.read()
                self.length += len(ssl.PEM_cert_to_DER_cert(certificate))
                chain.write(certificate)


def _openssl(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
