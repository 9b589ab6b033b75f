import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { Headers } from './exchange.ts';

/** Decompresses a body as it arrives, up to the limits. */
export interface BodyCollector {
  /** Returns false if the caller has to wait for `onDrain`. */
  write(chunk: Buffer): boolean;
  /** Resolves when everything written so far is decompressed. */
  end(): Promise<void>;
  /** Returns the body so far and frees the decompressors. */
  take(isComplete: boolean): { body: Buffer; isCut: boolean };
}

export interface BodyLimits {
  bodyBytes: number;
  ratio: number;
}

const MOST_ENCODINGS = 2;
/** Below this size, bodies may compress at any ratio. */
const RATIO_COUNTS_FROM = 65_536;
/** RFC 8878 §3.1.1.1.2 lets a decoder reject larger windows; the largest one would take 2 GB. */
const ZSTD_WINDOW = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } };

const decoders: Record<string, (firstByte: number) => Transform> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  // With the zlib header that `deflate` requires, or raw, as many servers send it.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(ZSTD_WINDOW),
};

/** Returns the encodings in the order of decoding; none if one of them is unknown, so that the body stays as it is. */
function encodingsOf(headers: Headers): string[] {
  const names = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  return names.every((name) => Object.hasOwn(decoders, name)) ? names.reverse() : [];
}

export function collectBody(
  headers: Headers,
  { bodyBytes, ratio }: BodyLimits,
  events: { onCut(): void; onDrain(): void },
): BodyCollector {
  const encodings = encodingsOf(headers);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let receivedBytes = 0;
  let isCut = false;
  let stages: Transform[] | undefined;

  function cut(): void {
    if (isCut) return;
    isCut = true;
    events.onCut();
  }

  function keep(chunk: Buffer): void {
    if (isCut) return;
    const room = bodyBytes - keptBytes;
    kept.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    keptBytes += Math.min(chunk.length, room);
    if (chunk.length > room) cut();
  }

  function open(firstByte: number): Transform[] {
    const opened = encodings.map((name) => (decoders[name] as (firstByte: number) => Transform)(firstByte));
    for (const [index, stage] of opened.entries()) {
      let bytes = 0;
      stage.on('error', cut).on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > RATIO_COUNTS_FROM && bytes > receivedBytes * ratio) cut();
        else if (index === opened.length - 1) keep(chunk);
      });
      const next = opened[index + 1];
      if (next) stage.pipe(next);
    }
    opened[0]?.on('drain', events.onDrain);
    return opened;
  }

  return {
    write(chunk) {
      receivedBytes += chunk.length;
      // Compressed data can also be endless without yielding any output.
      if (receivedBytes > bodyBytes + RATIO_COUNTS_FROM || encodings.length > MOST_ENCODINGS) cut();
      if (isCut) return true;
      stages ??= open(chunk[0] ?? 0);
      const [first] = stages;
      if (first) return first.write(chunk);
      keep(chunk);
      return true;
    },
    end: () =>
      new Promise((resolve) => {
        const last = stages?.at(-1);
        if (isCut || !last) return resolve();
        for (const stage of stages ?? []) stage.once('error', () => resolve());
        last.once('end', resolve).once('close', resolve);
        stages?.[0]?.end();
      }),
    take(isComplete) {
      for (const stage of stages ?? []) stage.destroy();
      return { body: Buffer.concat(kept), isCut: isCut || !isComplete };
    },
  };
}
