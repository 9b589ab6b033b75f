/** Letter pairs that make up nearly all English text, most frequent first. */
const USUAL_PAIRS = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ' +
    'ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un ' +
    'lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ' +
    'ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt oc fa ef cu ' +
    'rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck ew mu br bi pt ' +
    'ak pu ui rg ib tl ny ki rk ys ob mm fu ph og ms ud mb ip ub oi rl gu dr cc tw ft'
  ).split(' '),
);

const WORD = '(?:[A-Z]?[a-z]{1,15}(?:[A-Z][a-z]{2,15}){0,5}|[A-Z]{1,15})';
const WORDS = new RegExp(`^${WORD}(?:[\\s._-]${WORD})*$`);
const DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;

/**
 * Whether a text is a date or words such as `dark-theme` or `consentGiven`, as opposed to random letters in the shape
 * of a word: at most one in ten of its letter pairs may be unusual.
 */
export function isPlain(text: string): boolean {
  if (DATE.test(text)) return true;
  if (!WORDS.test(text)) return false;
  const pairs = text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s._-]+/)
    .flatMap((word) => [...word].slice(1).map((letter, index) => word.charAt(index) + letter));
  const unusual = pairs.filter((pair) => !USUAL_PAIRS.has(pair)).length;
  return pairs.length > 0 && unusual * 10 <= pairs.length;
}
