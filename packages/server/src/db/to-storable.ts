/**
 * JSON escapes that PostgreSQL cannot store: NUL and lone surrogates. After an even number of backslashes the sequence
 * is text.
 */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/**
 * Returns JSON that PostgreSQL can store. Targets and models are untrusted, and one invalid character must not prevent
 * the storage of a result.
 */
export const toStorable = (value: object) => JSON.stringify(value).replace(UNSTORABLE, '$1\\ufffd');
