/** Splits camel case, removes accents and converts to lower case. */
export function plain(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ı', 'i');
}

/** Decodes each run of escapes separately: an invalid one must not hide the others. */
export function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return Buffer.from(part.replaceAll('%', ''), 'hex').toString('latin1');
    }
  });
}
