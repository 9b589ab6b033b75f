/** Properties of a JSON Web Token that anyone who holds it can read. */
export interface JwtProperties {
  algorithm: string;
  expires: boolean;
}

const SHAPE = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** Returns the properties of a JSON Web Token; undefined if the value is none. */
export function readJwt(value: string): JwtProperties | undefined {
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
