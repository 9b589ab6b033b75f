/**
 * Words for actions that cannot be undone, end the session or notify other people. Links and forms with such words are
 * not followed. Covers the languages of common logout and delete buttons, in lower case and without accents.
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
    // These also occur within harmless words.
    '(?<![a-z])(?:eliminar?|reset|wipe)',
    '(?<![a-z])(?:drop|pay|buy|send|share|kaufen|payer|pagar|kopen|sair|esci|sil)(?![a-z])',
  ].join('|'),
);

export function isDangerous(url: string, words: string): boolean {
  const { pathname, search } = new URL(url);
  return DANGER.test(plain(decode(decode(pathname + search)))) || DANGER.test(plain(words));
}

/** Splits camel case, removes accents and converts to lower case. */
function plain(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i');
}

/** Decodes each run of escapes separately: an invalid one must not hide the others. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return Buffer.from(part.replaceAll('%', ''), 'hex').toString('latin1');
    }
  });
}

/** Effect of a request on the target: none, a change, a dangerous action, or a login. */
export const effects = ['reads', 'changes', 'endangers', 'logsIn'] as const;
export type Effect = (typeof effects)[number];

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Derives the effect from the method, the URL and the words that describe the request. */
export function effectOf(method: string, url: string, words = ''): Effect {
  if (method === 'DELETE' || isDangerous(url, words)) return 'endangers';
  return READING.has(method) ? 'reads' : 'changes';
}
