/** Decimal, octal and hexadecimal notation of one part of an IPv4 address. */
const writings = [
  (part: number) => String(part),
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `0x${part.toString(16)}`,
];

/** 127.0.0.1 in one to four parts; the last part takes the remaining bits. */
const PARTS = [[0x7f000001], [127, 1], [127, 0, 1], [127, 0, 0, 1]];

function writtenInAllWays([first, ...rest]: readonly number[]): string[] {
  if (first === undefined) return [''];
  return writings.flatMap((write) =>
    writtenInAllWays(rest).map((tail) => (rest.length > 0 ? `${write(first)}.${tail}` : write(first))),
  );
}

const numbers = PARTS.flatMap(writtenInAllWays);

/** Host spellings in URLs that all lead to the loopback interface. */
export const loopbackHosts: readonly string[] = [
  ...numbers,
  ...numbers.map((host) => `${host}.`),
  ...['127.0.0.1', '127.1', '0x7f.1', '017700000001'].map((host) => host.replace(/\./g, '。')),
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '１２７．０．０．１',
  '𝟙𝟚𝟟.𝟘.𝟘.𝟙',
  '%31%32%37.0.0.1',
  '127.0.0.%31',
  '127%2e0%2e0%2e1',
  '0X7F000001',
  '0X7f.0X1',
  '000000000000000000177.0.0.1',
  '0x0000000000000007f.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '0x0',
  '00000',
  '0.0',
  '0.0.0',
  '0x.0x.0x.0x',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'any.localhost',
  'many.more.LocalHost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌｏｃａｌｈｏｓｔ',
  'local%68ost',
  'loc\u00adalhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0001]',
  '[0::1]',
  '[0:0::1]',
  '[::0.0.0.1]',
  '[::]',
  '[0:0:0:0:0:0:0:0]',
  '[::0.0.0.0]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:7f00:0001]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[0000:0000:0000:0000:0000:ffff:7f00:0001]',
  '[::ffff:127.255.255.254]',
  '[::ffff:0.0.0.0]',
  '[::ffff:0:0]',
];

/** Authorities that URL parsers interpret differently; `PORT` is replaced by the canary's port. */
export const oddAuthorities: readonly string[] = [
  'http://good.example@127.0.0.1:PORT/',
  'http://good.example:80@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@127.0.0.1:PORT/',
  'http://1.1.1.1&@127.0.0.1:PORT#@good.example/',
  'http://127.0.0.1:PORT\\@good.example/',
  'http://127.0.0.1:PORT\\good.example',
  'http://good.example\\@127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http://\t127.0.0.1:PORT/',
  'http://127.0.\n0.1:PORT/',
  'http://127.0.0.1\r:PORT/',
  'ht\ttp://127.0.0.1:PORT/',
  ' http://127.0.0.1:PORT/',
  '\0http://127.0.0.1:PORT/',
  'http://@127.0.0.1:PORT/',
  'http://:@127.0.0.1:PORT/',
  'http://127.0.0.1 :PORT/',
  'http://[::1%25lo]:PORT/',
  'http://[::1%lo]:PORT/',
  'http://[fe80::1%25eth0]:PORT/',
  'http://[::ffff:127.0.0.1%25lo]:PORT/',
  'http://[127.0.0.1]:PORT/',
  'http://[[::1]]:PORT/',
  'http://127.0.0.1:PORT:80/',
  'http://127.0.0.256:PORT/',
  'http://0x100000000:PORT/',
  'http://127.0.0.1.1:PORT/',
  'http://127..0.1:PORT/',
  'ws://127.0.0.1:PORT/',
  'ftp://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_x',
  'data:text/plain,x',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  '',
];

/** At least one address of every non-public range. */
export const refusedAddresses: readonly string[] = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.100.100.200'],
  ...[
    '100.127.255.255',
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.255',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
  ],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.0.170', '192.0.0.192', '192.0.2.1', '192.88.99.1'],
  ...['192.168.0.1', '192.168.255.255', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.254', '255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '::2', '::7f00:1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
  ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::ffff:168.63.129.16', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ...['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '100::1', '100:0:0:1::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::1'],
  ...['2002:a9fe:a9fe::1', '2002:808:808::1', '3fff::1', '3fff:fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254'],
  ...['fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'feff::1', 'ff00::1', 'ff02::1', 'ff0e::1'],
];
