import { Command } from 'commander';
import type { VersionedDocument } from '../api/command-context.ts';
import { usageError } from '../terminal/command-error.ts';
import { fields } from '../terminal/text.ts';

interface ConfigOptions {
  json?: boolean;
  project?: boolean;
}

export function configCommand(): Command {
  const config = new Command('config').description('show and change settings of this project and user');
  withJson(config.command('list').description('list all settings and their sources')).action(list);
  withJson(config.command('get').argument('<name>').description('print a setting')).action(get);
  withProject(config.command('set').argument('<name>').argument('<value>').description('change a setting')).action(set);
  withProject(config.command('unset').argument('<name>').description('remove a setting')).action(unset);
  withJson(config.command('path').description('print the paths of the settings files')).action(showPath);
  return config;
}

const withJson = (command: Command) => command.option('--json', 'print one JSON document on stdout');
const withProject = (command: Command) =>
  withJson(command).option('--project', 'write to sortie.yml in this folder instead of the user file');

async function load() {
  const [{ readConfig }, settings, files, names] = await Promise.all([
    import('../settings/config.ts'),
    import('../settings/settings.ts'),
    import('../settings/settings-files.ts'),
    import('../settings/setting-names.ts'),
  ]);
  const config = readConfig();
  return { config, settings: settings.readSettings(config), keyTail: settings.keyTail, files, names };
}

function print(document: VersionedDocument, text: string, { json }: ConfigOptions): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : text);
}

async function list(options: ConfigOptions): Promise<void> {
  const { settings, keyTail, names } = await load();
  const { apiKey, baseUrl } = settings;
  const found = Object.keys(names.settingNames).map((name) => {
    return [name, name === 'baseUrl' ? baseUrl : settings.get(names.readSettingName(name))] as const;
  });
  const all = { ...Object.fromEntries(found), apiKey: apiKey && { ...apiKey, value: keyTail(apiKey.value) } };
  const shown = Object.entries(all).map(([name, one]) => [name, one ? `${one.value}  (${one.source})` : null]);
  print({ schema: 'sortie.config/1', settings: all }, fields(Object.fromEntries(shown)), options);
}

async function get(name: string, options: ConfigOptions): Promise<void> {
  const { settings, names } = await load();
  const setting = names.readSettingName(name);
  const found = setting === 'baseUrl' ? settings.baseUrl : settings.get(setting);
  if (!found) throw usageError(`${name} is not set. Set it with: npx sortie config set ${name} VALUE`);
  print({ schema: 'sortie.config/1', settings: { [name]: found } }, `${found.value}\n`, options);
}

async function set(name: string, value: string, options: ConfigOptions): Promise<void> {
  const { names } = await load();
  names.refuseSecret(options.project ? 'sortie.yml' : 'The settings', name, value);
  const setting = names.readSettingName(name);
  await change(setting, setting === 'baseUrl' ? names.readBaseUrl(name, value) : value, options);
}

const unset = (name: string, options: ConfigOptions): Promise<void> => change(name, undefined, options);

async function change(name: string, value: string | undefined, options: ConfigOptions): Promise<void> {
  const { config, files, names } = await load();
  const setting = names.readSettingName(name);
  if (options.project) await files.changeProjectFile(setting, value);
  else await files.changeUserFile(config.configHome, [{ at: setting.split('.'), value }]);
  const file = options.project ? files.PROJECT_FILE : files.userFileName(config.configHome);
  const words = value === undefined ? `${name} is not set` : `${name} is ${value}`;
  print({ schema: 'sortie.config/1', file }, `${words} in ${file}\n`, options);
}

async function showPath(options: ConfigOptions): Promise<void> {
  const { config, files } = await load();
  const paths = { user: files.userFileName(config.configHome), project: files.PROJECT_FILE };
  print({ schema: 'sortie.config/1', files: paths }, fields(paths), options);
}
