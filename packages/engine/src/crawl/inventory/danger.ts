import { type Depth, depths } from '@sortie/contract';

/**
 * Words for what cannot be taken back, ends the session or tells other people. Links and forms that speak of it are not
 * followed. The languages are those of common sign-out and delete buttons; all without accents, in small letters.
 */
const DANGER = new RegExp(
  [
    'log[\\s_+.-]?(?:out|off)|sign[\\s_+.-]?(?:out|off)|end[\\s_+.-]?session',
    'abmeld|auslogg|deconnexion|deconnect|(?:cerrar|terminar)[\\s_+.-]?sess?[ia]o?n?|desconectar|uitlog|afmelden',
    'disconnett|wylog|odhlas|logga[\\s_+.-]?ut|logg[\\s_+.-]?ut|cikis|выити|выход|ログアウト|로그아웃|退出|登出|注销',
    'delete|remove|destroy|eras(?:e|ure)|purge|loesch|losch|entfernen|supprim|borrar|excluir|apagar|verwijder|cancella|usun',
    'удалить|删除|刪除|削除|삭제',
    'deactivate|disable|cancel|close[\\s_+.-]?account|unsubscribe|revoke|kundigen|kuendigen|stornier|annuler|anular',
    'purchase|checkout|order[\\s_+.-]?now|transfer|withdraw|refund|donate|payment|bezahlen|uberweis|ueberweis|acheter',
    'comprar|betalen|оплатить|购买|支付|購入',
    'invite|publish|notify|reboot|shutdown|restart',
    '(?:change|update|set|new)[\\s_+.-]?pass(?:word|wd)',
    // These are parts of harmless words.
    '(?<![a-z])(?:eliminar?|reset|wipe)',
    '(?<![a-z])(?:drop|pay|buy|send|share|kaufen|payer|pagar|kopen|sair|esci|sil)(?![a-z])',
  ].join('|'),
);

export function isDangerous(url: string, words: string): boolean {
  const { pathname, search } = new URL(url);
  return DANGER.test(plain(decode(decode(pathname + search)))) || DANGER.test(plain(words));
}

/** Words that are written together apart, without accents, in small letters. */
function plain(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i');
}

/** Part by part: one that is no text must not hide the others. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return Buffer.from(part.replaceAll('%', ''), 'hex').toString('latin1');
    }
  });
}

/** What a request does to the target: nothing, something, what nobody could take back, or a login. */
export const effects = ['reads', 'changes', 'endangers', 'logsIn'] as const;
export type Effect = (typeof effects)[number];

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** By its method, its address, and what is said of it. */
export function effectOf(method: string, url: string, words = ''): Effect {
  if (method === 'DELETE' || isDangerous(url, words)) return 'endangers';
  return READING.has(method) ? 'reads' : 'changes';
}

export const isAtLeast = (depth: Depth, least: Depth) => depths.indexOf(depth) >= depths.indexOf(least);

interface Deed {
  effect: Effect;
  /** The thing was made by this run. */
  isOurs: boolean;
  /** The account it is sent as; null for a visitor without one. */
  as: string | null;
  risk: 'harmless' | 'intrusive';
}

/**
 * What a request writes may be stored, mailed or paid for, whatever the value: the cheapest level only reads. The next
 * one writes as well, but what leaves traces only with accounts that were given for it. What cannot be taken back is done
 * to nothing but what is ours.
 */
export function maySend({ effect, isOurs, as, risk }: Deed, depth: Depth): boolean {
  // Wrong passwords lock accounts: logins are only for what tests logins, and knows when to stop.
  if (effect === 'logsIn' || (effect === 'endangers' && !isOurs)) return false;
  if (!isAtLeast(depth, 'STANDARD')) return risk === 'harmless' && effect === 'reads';
  return risk === 'harmless' || isOurs || as !== null || isAtLeast(depth, 'DEEP');
}
