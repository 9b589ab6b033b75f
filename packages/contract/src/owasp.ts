const titles = {
  A01: 'Broken Access Control',
  A02: 'Cryptographic Failures',
  A03: 'Injection',
  A04: 'Insecure Design',
  A05: 'Security Misconfiguration',
  A06: 'Vulnerable and Outdated Components',
  A07: 'Identification and Authentication Failures',
  A08: 'Software and Data Integrity Failures',
  A09: 'Security Logging and Monitoring Failures',
  A10: 'Server-Side Request Forgery',
} as const;
type Category = keyof typeof titles;

/** CWEs that OWASP lists for each category of its Top 10 of 2021. */
const listed: Record<Category, readonly number[]> = {
  A01: [
    22, 23, 35, 59, 200, 201, 219, 264, 275, 276, 284, 285, 352, 359, 377, 402, 425, 441, 497, 538, 540, 548, 552, 566,
    601, 639, 651, 668, 706, 862, 863, 913, 922, 1275,
  ],
  A02: [
    261, 296, 310, 319, 321, 322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 335, 336, 337, 338, 340, 347, 523, 720,
    757, 759, 760, 780, 818, 916,
  ],
  A03: [
    20, 74, 75, 77, 78, 79, 80, 83, 87, 88, 89, 90, 91, 93, 94, 95, 96, 97, 98, 99, 100, 113, 116, 138, 184, 470, 471,
    564, 610, 643, 644, 652, 917,
  ],
  A04: [
    73, 183, 209, 213, 235, 256, 257, 266, 269, 280, 311, 312, 313, 316, 419, 430, 434, 444, 451, 472, 501, 522, 525,
    539, 579, 598, 602, 642, 646, 650, 653, 656, 657, 799, 807, 840, 841, 927, 1021, 1173,
  ],
  A05: [2, 11, 13, 15, 16, 260, 315, 520, 526, 537, 541, 547, 611, 614, 756, 776, 942, 1004, 1032, 1174],
  A06: [937, 1035, 1104],
  A07: [255, 259, 287, 288, 290, 294, 295, 297, 300, 302, 304, 306, 307, 346, 384, 521, 613, 620, 640, 798, 940, 1216],
  A08: [345, 353, 426, 494, 502, 565, 784, 829, 830, 915],
  A09: [117, 223, 532, 778],
  A10: [918],
};

/** CWEs of our checks that OWASP does not list, by their parent CWE or the text of the category. */
const added: Partial<Record<Category, readonly number[]>> = {
  A01: [527, 530],
  A03: [626, 943, 1236, 1336],
  A04: [524, 770],
  A05: [436, 489, 693, 1022],
  A06: [1395],
  A07: [204, 804, 1392],
  A08: [349, 1321],
};

const byCwe = new Map(
  [listed, added].flatMap((table) =>
    (Object.keys(table) as Category[]).flatMap((category) =>
      (table[category] ?? []).map((cwe) => [cwe, `${category}:2021 ${titles[category]}`] as const),
    ),
  ),
);

/** Returns the category of the OWASP Top 10 of 2021 for a CWE, or null if it belongs to none. */
export const owaspCategory = (cwe: number | null): string | null => (cwe === null ? null : (byCwe.get(cwe) ?? null));
