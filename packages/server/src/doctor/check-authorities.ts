import { X509Certificate } from 'node:crypto';
import type { Config } from '../config/config.ts';
import { splitAuthorities } from '../platform/authorities.ts';
import { type Diagnosis, passed } from './diagnosis.ts';

const name = 'authorities';

/**
 * Returns whether the certificates of SORTIE_CA_FILE are currently valid. A file that cannot be read or parsed fails
 * earlier, as an invalid setting.
 */
export function checkAuthorities({ network }: Pick<Config, 'network'>, now = new Date()): Diagnosis {
  if (network.authorities === undefined) return passed(name, 'the public ones; SORTIE_CA_FILE is not set');
  const certificates = splitAuthorities(network.authorities).map((pem) => new X509Certificate(pem));
  const isValid = ({ validFromDate, validToDate }: X509Certificate) => validFromDate <= now && now <= validToDate;
  const unfit = certificates.filter((certificate) => !isValid(certificate));
  const all = `SORTIE_CA_FILE: ${certificates.length} certificate${certificates.length === 1 ? '' : 's'}`;
  if (unfit.length === 0) return passed(name, `the public ones and ${all}`);
  const problems = unfit.map((certificate) => describe(certificate, now)).join('; ');
  const cure = 'Replace these certificates: targets of their authorities fail TLS and ownership checks.';
  return {
    name,
    state: unfit.length === certificates.length ? 'failed' : 'warning',
    detail: `${all}; ${problems}`,
    cure,
  };
}

function describe({ subject, validFromDate, validToDate }: X509Certificate, now: Date): string {
  const [word, date] = now > validToDate ? ['expired', validToDate] : ['not valid before', validFromDate];
  return `"${subject.replaceAll('\n', ', ')}" ${word} ${date.toISOString().slice(0, 10)}`;
}
