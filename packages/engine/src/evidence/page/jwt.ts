/** Properties of a JSON Web Token that anyone who holds it can read. */
export interface Jwt {
  algorithm: string;
  expires: boolean;
}

const SHAPE = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

export function readJwt(value: string): Jwt | undefined {
  const [, header, payload] = SHAPE.exec(value) ?? [];
  const { alg } = readPart(header) ?? {};
  const claims = readPart(payload);
  return typeof alg === 'string' && claims ? { algorithm: alg, expires: 'exp' in claims } : undefined;
}

function readPart(part = ''): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}
