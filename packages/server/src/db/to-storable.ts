/** What JSON escapes and PostgreSQL cannot store: NUL and lone surrogates. An even number of backslashes is a text. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/** Returns JSON. What targets and models say is untrusted: an odd character must not keep it from being saved. */
export const toStorable = (value: object) => JSON.stringify(value).replace(UNSTORABLE, '$1\\ufffd');
