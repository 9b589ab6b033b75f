import type { Deed } from '../inventory/effects.ts';
import { decode, plain } from './plain.ts';

type Danger = Exclude<Deed, 'reads' | 'creates' | 'changes' | 'logsIn'>;

/** Passwords are set by those who own them: a request that sets one acts on an account. */
const PASSWORDS = '(?:change|update|set|new)[\\s_+.-]?pass(?:word|wd)';
const CLOSED_ACCOUNT =
  'close[\\s_+.-]?(?:(?:my|your|this|the)[\\s_+.-])?account|account[\\s/_+.-]close(?![a-z])|unsubscribe|revoke';

/**
 * Words for actions that cannot be undone, end the session or reach other people. Covers the languages of common logout
 * and delete buttons, in lower case and without accents.
 */
const WORDS: Readonly<Record<Danger, readonly string[]>> = {
  endsSession: [
    'log[\\s_+.-]?(?:out|off)|sign[\\s_+.-]?(?:out|off)|end[\\s_+.-]?session',
    'abmeld|auslogg|deconnexion|deconnect|(?:cerrar|terminar)[\\s_+.-]?sess?[ia]o?n?|desconectar|uitlog|afmelden',
    'disconnett|wylog|odhlas|logga[\\s_+.-]?ut|logg[\\s_+.-]?ut|cikis|выити|выход|ログアウト|로그아웃|退出|登出|注销',
    '(?<![a-z])(?:sair|esci)(?![a-z])',
  ],
  deletes: [
    'delete|remove|destroy|eras(?:e|ure)|purge|loesch|losch|entfernen|supprim|borrar|excluir|apagar|verwijder|cancella|usun',
    'удалить|删除|刪除|削除|삭제|svuota|vaciar|очистить|清空',
    '(?<![a-z])(?:truncate|drop|sil)(?![a-z])|(?<![a-z])(?:eliminar?|wipe)|(?:clear|empty)[\\s_+.-]?(?:data|db|cart)',
  ],
  pays: [
    'purchase|checkout|order[\\s_+.-]?now|transfer|withdraw|refund|donate|payment|bezahlen|uberweis|ueberweis|acheter',
    'comprar|betalen|оплатить|购买|支付|購入|(?<![a-z])(?:pay|buy|kaufen|payer|pagar|kopen)(?![a-z])',
  ],
  sends: ['invite|publish|notify|(?<![a-z])(?:send|share)(?![a-z])'],
  acts: [
    `deactivate|disable|cancel|${CLOSED_ACCOUNT}|kundigen|kuendigen|stornier|annuler|anular|reboot|shutdown|restart|${PASSWORDS}`,
    'zurucksetz|zuruecksetz|aktivier|installier|freischalt|genehmig|abonnier|reinitialis|desactiv|restablecer|reiniciar',
    'suscrib|reimposta|zresetuj|wyczysc|aktywuj|redefinir|resetten|сбросить|включить|отключить|подписаться',
    '重置|启用|禁用|初始化|リセット|초기화|start[\\s_+.-]?over',
    // These also occur within harmless words.
    '(?<![a-z])(?:(?:re)?populate|reseed|migrate|rollback|regenerate)(?![a-z])|(?<![a-z])reset',
  ],
};
const DANGERS = Object.entries(WORDS).map(([deed, words]) => [deed as Danger, new RegExp(words.join('|'))] as const);

/**
 * Names of collections and properties that contain a dangerous word: by GET, they only show something. A reset is judged
 * by its place in the path.
 */
const NOUNS =
  /(?<![a-z])(?:payments|transfers|refunds|purchases|invites|invitees|checkouts|cancellations?|cancelled|canceled|deleted|removed|published|publishers?|presets?|disabled|(?:reset|wipe)[a-z]*|payment[\s_-](?:methods?|history|options?|status|terms)|(?:refund|cancel\w*|return)[\s_-]polic(?:y|ies))(?![a-z])/g;
const KEPT = /^(?:reset|wipe)/;

/** A dangerous action that a text names, and its word. */
export interface NamedDanger {
  deed: Danger;
  word: string;
}

/** Returns the dangerous action that the text names; undefined if it names none. */
export function dangerIn(text: string): NamedDanger | undefined {
  const said = plain(text);
  const found = DANGERS.flatMap(([deed, pattern]) => {
    const word = pattern.exec(said)?.[0];
    return word === undefined ? [] : [{ deed, word: word.trim() }];
  });
  return found[0];
}

/** The same for the name of a procedure that reads. A reset is told by its place in a path, and has none here. */
export const dangerInName = (said: string) => dangerIn(said.replace(NOUNS, (noun) => KEPT.exec(noun)?.[0] ?? ' '));

/** The same for the path and the query of a URL. */
export function dangerInUrl(url: string, isReading: boolean): NamedDanger | undefined {
  const { pathname, search } = new URL(url);
  const place = plain(decode(decode(pathname + search)));
  return dangerIn(isReading ? place.replace(NOUNS, ' ') : place);
}
