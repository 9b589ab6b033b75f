import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Resolves to all that can be read from a PDF: its bytes and, because streams are compressed, the text of its pages and
 * tags, its metadata and the addresses of its links. The text is also there without line breaks, because a page breaks
 * long words.
 */
export async function readPdf(pdf: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sortie-pdf-'));
  try {
    const file = path.join(folder, 'report.pdf');
    await writeFile(file, pdf);
    const run = async (program: string, ...parameters: string[]) =>
      (await promisify(execFile)(program, parameters, { maxBuffer: MOST_BYTES })).stdout;
    const text = await run('pdftotext', '-raw', '-nopgbrk', file, '-');
    const other = [['-meta'], ['-custom'], ['-url'], ['-struct-text'], []];
    const told = await Promise.all(other.map((options) => run('pdfinfo', ...options, file)));
    const texts = [text, ...told].flatMap((each) => [each, each.replaceAll(/\s+/g, '')]);
    return Buffer.concat([pdf, Buffer.from(`\n${texts.join('\n')}`)]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
