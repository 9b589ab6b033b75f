import { serviceKeys } from '../server/service-keys.ts';
import type { Scene } from './scene.ts';

const textOf = (key: string) => Buffer.from(key, 'base64').toString();

/** Returns everything that must not occur in a surface. */
export function hiddenIn(surface: keyof Scene['surfaces'], scene: Scene): Record<string, string> {
  const { secrets, apiKeys, names, labels, databaseWords, world } = scene;
  // Two suffice where a search takes long.
  const keys = Object.fromEntries(Object.entries(apiKeys).slice(0, surface === 'database files' ? 2 : undefined));
  const ofService = {
    'vault key': textOf(serviceKeys.SORTIE_VAULT_KEY),
    'fingerprint key': textOf(serviceKeys.SORTIE_FINGERPRINT_KEY),
    'password of the database': world.testDatabase.connection.password ?? '',
  };
  const isOfDatabase = surface === 'tables' || surface.startsWith('database');
  return {
    'secret of a start': secrets.mark,
    ...keys,
    // The operator passes these to the server in its environment.
    ...(surface !== 'environments' && ofService),
    // An error has to name the unknown member.
    ...(surface !== 'answers' && { 'made-up member': names.mark }),
    // Not a secret by definition, so it is stored in plain text.
    ...(!isOfDatabase && { 'name of an account': labels.mark }),
    ...((surface === 'answers' || surface === 'logs') && { 'what the database said': databaseWords.mark }),
  };
}
