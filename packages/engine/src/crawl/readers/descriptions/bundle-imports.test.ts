import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bundleReferences } from './bundle-references.ts';
import { readDescription } from './read-description.ts';

const DOCUMENT = 'https://shop.test/ws/teas?wsdl';
const NAMESPACES =
  'xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema"';

const MAIN = `<?xml version="1.0"?><wsdl:definitions ${NAMESPACES} targetNamespace="urn:service">
  <wsdl:import namespace="urn:tea" location="http://localhost:8080/ws/teas?wsdl=1"/>
  <wsdl:import namespace="urn:other" location="https://elsewhere.test/other.wsdl"/>
  <wsdl:service name="Shop"><wsdl:port name="a" binding="Teas11"><soap:address location="https://shop.test/ws/teas"/></wsdl:port></wsdl:service>
</wsdl:definitions>`;

const documents: Record<string, string> = {
  [DOCUMENT]: MAIN,
  'https://shop.test/ws/teas?wsdl=1': `<?xml version="1.0"?><wsdl:definitions ${NAMESPACES} targetNamespace="urn:tea">
  <wsdl:types><xs:schema><xs:import namespace="urn:tea" schemaLocation="teas/schema.xsd"/></xs:schema></wsdl:types>
  <wsdl:message name="in"><wsdl:part name="parameters" element="tns:getTea"/></wsdl:message>
  <wsdl:portType name="Teas"><wsdl:operation name="getTea"><wsdl:input message="tns:in"/></wsdl:operation></wsdl:portType>
  <wsdl:binding name="Teas11" type="tns:Teas"><soap:binding style="document"/>
    <wsdl:operation name="getTea"><soap:operation soapAction="urn:tea/getTea"/><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation>
  </wsdl:binding>
</wsdl:definitions>`,
  'https://shop.test/ws/teas/schema.xsd': `\uFEFF<?xml version="1.0"?><xs:schema targetNamespace="urn:tea" elementFormDefault="qualified">
  <xs:include schemaLocation="types.xsd"/>
  <xs:element name="getTea"><xs:complexType><xs:sequence><xs:element ref="tns:filter"/></xs:sequence></xs:complexType></xs:element>
</xs:schema>`,
  'https://shop.test/ws/teas/types.xsd': `<xs:schema elementFormDefault="qualified">
  <xs:include schemaLocation="schema.xsd"/>
  <xs:element name="filter"><xs:complexType><xs:sequence><xs:element name="kind" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
</xs:schema>`,
}; // biome-ignore format: one document per entry

async function bundle(isCovered: (url: string) => boolean) {
  const asked: string[] = [];
  const text = await bundleReferences(MAIN, DOCUMENT, async (url) => {
    if (!isCovered(url)) return undefined;
    asked.push(url);
    return documents[url];
  });
  return { asked, items: readDescription(text, DOCUMENT)?.requestsAt('https://shop.test') ?? [] };
}

describe('a WSDL document in several files', () => {
  it('is read with the documents and schemas in scope, each once, at its own origin if need be', async () => {
    const { asked, items } = await bundle((url) => new URL(url).hostname === 'shop.test');
    assert.deepEqual(asked, [
      'https://shop.test/ws/teas?wsdl=1',
      'https://shop.test/other.wsdl',
      'https://shop.test/ws/teas/schema.xsd',
      'https://shop.test/ws/teas/types.xsd',
    ]);
    assert.deepEqual(
      items.map(({ procedure, url }) => `${procedure} ${url}`),
      ['getTea https://shop.test/ws/teas'],
    );
    // An included schema without a namespace belongs to that of the including one.
    assert.match(items[0]?.body?.text ?? '', /<getTea xmlns="urn:tea"><filter><kind>test<\/kind><\/filter><\/getTea>/);
  });

  it('asks for nothing out of scope', async () => {
    const { asked, items } = await bundle(() => false);
    assert.deepEqual([asked, items], [[], []]);
  });

  const withImports = (...places: string[]) =>
    MAIN.replace(/<wsdl:import.*\/>/g, '').replace(
      '<wsdl:service',
      `${places.map((each) => `<wsdl:import namespace="urn:a" location="${each}"/>`).join('')}$&`,
    );

  it('is not read again where it imports itself under another host', async () => {
    const asked: string[] = [];
    const places = ['http://localhost:8080/ws/teas?wsdl', 'http://localhost:8080/ws/a.wsdl', '/ws/a.wsdl'];
    await bundleReferences(withImports(...places), DOCUMENT, async (url) => {
      asked.push(url);
      return new URL(url).hostname === 'shop.test' ? withImports(...places) : undefined;
    });
    assert.deepEqual(asked, [...places.slice(0, 2), 'https://shop.test/ws/a.wsdl']);
  });

  it('is read without what would change something', async () => {
    const asked: string[] = [];
    await bundleReferences(withImports('/logout', '/teas/7/delete', '/a.xsd'), DOCUMENT, async (url) => {
      asked.push(url);
      return undefined;
    });
    assert.deepEqual(asked, ['https://shop.test/a.xsd']);
  });

  it('is read up to a size', async () => {
    let asked = 0;
    const places = Array.from({ length: 20 }, (_, index) => `/${index}.xsd`);
    const schema = `<xs:schema><!--${'a'.repeat(2_000_000)}--></xs:schema>`;
    const text = await bundleReferences(withImports(...places), DOCUMENT, async () => {
      asked++;
      return schema;
    });
    assert.equal(asked, 3);
    assert.ok(text.length < 5_100_000, String(text.length));
  });
});
