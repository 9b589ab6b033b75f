interface DemoService {
  baseUrl: string;
  apiKey: string;
  target: { url: string; verificationId: string } | null;
}

/** The default base URL of the CLI. */
const USUAL_URL = 'http://127.0.0.1:4800';

/**
 * Returns shell commands that work as printed. The key is exported to that shell only: nothing is stored outside of the
 * data folder without `sortie login`.
 */
export function thingsToTry({ baseUrl, apiKey, target }: DemoService): string[] {
  const settings = [
    `export SORTIE_API_KEY=${apiKey}`,
    ...(baseUrl === USUAL_URL ? [] : [`export SORTIE_BASE_URL=${baseUrl}`]),
  ];
  if (target === null) return [...settings, 'npx sortie credits'];
  return [
    ...settings,
    `npx sortie scan ${target.url}`,
    `npx sortie gate --start --target ${target.url} --verification ${target.verificationId} --poll 2s`,
    'npx sortie credits',
  ];
}
