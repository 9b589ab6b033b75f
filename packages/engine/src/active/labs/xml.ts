const FILES: Record<string, string> = { 'file:///etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n' };

/** Returns the text of an element, parsed with or without external entities, for labs. */
export function readElement(xml: string, name: string, isFollowing: boolean): string {
  const entities = new Map<string, string>();
  const declarations = /<!ENTITY\s+(\w+)\s+(?:SYSTEM\s+"([^"]*)"|"([^"]*)")\s*>/g;
  for (const [, entity = '', file, text = ''] of xml.matchAll(declarations)) {
    if (file !== undefined && FILES[file] === undefined) throw new Error(`failed to load ${file}`);
    entities.set(entity, file === undefined ? text : (FILES[file] ?? ''));
  }
  const [, content = ''] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return content.replace(/&(\w+);/g, (reference, entity: string) =>
    isFollowing ? (entities.get(entity) ?? reference) : reference,
  );
}
