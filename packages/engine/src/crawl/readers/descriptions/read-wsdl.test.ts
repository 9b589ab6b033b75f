import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { templateOf } from '../../inventory/inventory.ts';
import { requestOf } from '../../requests/write-request.ts';
import { readDescription } from './read-description.ts';

const wsdl = ({ types = '', parts = '<part name="parameters" element="tns:getTea"/>', style = 'document' } = {}) => `<?xml version="1.0"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:tns="urn:tea" xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:tea">
  <wsdl:types>${types}</wsdl:types>
  <wsdl:message name="in">${parts.replaceAll('<part', '<wsdl:part')}</wsdl:message>
  <wsdl:portType name="Teas">
    ${['getTea', 'updateTea', 'addTea', 'deleteTea'].map((name) => `<wsdl:operation name="${name}"><wsdl:input message="tns:in"/></wsdl:operation>`).join('')}
  </wsdl:portType>
  ${['Teas11', 'Teas12'].map((name) => `<wsdl:binding name="${name}" type="tns:Teas"><soap:binding style="${style}" transport="http://schemas.xmlsoap.org/soap/http"/>
    ${['getTea', 'updateTea', 'addTea', 'deleteTea'].map((each) => `<wsdl:operation name="${each}"><soap:operation soapAction="urn:tea/${each}"/><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation>`).join('')}
  </wsdl:binding>`).join('')}
  <wsdl:service name="Shop">
    <wsdl:port name="a" binding="tns:Teas11"><soap:address location="http://localhost:8080/ws/teas"/></wsdl:port>
    <wsdl:port name="b" binding="tns:Teas12"><soap:address location="http://localhost:8080/ws/teas"/></wsdl:port>
  </wsdl:service>
</wsdl:definitions>`; // biome-ignore format: one document

const SCHEMA = `<xs:schema targetNamespace="urn:tea" elementFormDefault="qualified">
  <xs:element name="getTea"><xs:complexType><xs:sequence>
    <xs:element name="teaId" type="xs:int"/><xs:element name="kind" type="tns:Kind"/>
    <xs:element name="origin" type="tns:Place" minOccurs="0"/><xs:element name="child" type="tns:Loop"/>
  </xs:sequence></xs:complexType></xs:element>
  <xs:simpleType name="Kind"><xs:restriction base="xs:string"><xs:enumeration value="black"/><xs:enumeration value="green"/></xs:restriction></xs:simpleType>
  <xs:complexType name="Place"><xs:complexContent><xs:extension base="tns:Land"><xs:choice><xs:element name="hill" type="xs:string"/><xs:element name="port" type="xs:string"/></xs:choice></xs:extension></xs:complexContent></xs:complexType>
  <xs:complexType name="Land"><xs:sequence><xs:element name="since" type="xs:date"/></xs:sequence><xs:attribute name="code" type="xs:string"/></xs:complexType>
  <xs:complexType name="Loop"><xs:sequence><xs:element name="child" type="tns:Loop" minOccurs="0"/></xs:sequence></xs:complexType>
</xs:schema>`;

const read = (text: string) => {
  const description = readDescription(text, 'https://shop.example/teas?wsdl');
  return { bases: description?.bases, items: description?.requestsAt('https://shop.example') ?? [] };
};

describe('a WSDL document', () => {
  it('gives a SOAP request per operation, at its path on the host of the document', () => {
    const { bases, items } = read(wsdl({ types: SCHEMA }));
    assert.deepEqual(bases, ['http://localhost:8080', 'https://shop.example']);
    assert.deepEqual(
      items.map(({ method, url, effect }) => `${method} ${url} ${effect}`),
      ['reads', 'endangers', 'changes', 'endangers'].map((effect) => `POST https://shop.example/ws/teas ${effect}`),
    );
    assert.deepEqual(
      items.map(({ procedure }) => procedure),
      ['getTea', 'updateTea', 'addTea', 'deleteTea'],
    );
    assert.equal(new Set(items.map(templateOf)).size, 4);
    assert.deepEqual(requestOf(items[0] ?? assert.fail()).headers, [
      ['Content-Type', 'text/xml; charset=utf-8'],
      ['SOAPAction', '"urn:tea/getTea"'],
    ]);
  });

  it('has the values that its schema describes', () => {
    const [item] = read(wsdl({ types: SCHEMA })).items;
    const values = (item?.parameters ?? []).map(({ location, name, value }) => `${location} ${name} ${value}`);
    const place = 'xml /soapenv:Envelope/soapenv:Body/getTea';
    assert.deepEqual(values.slice(0, 5), [
      `${place}/teaId 1`,
      `${place}/kind black`,
      `${place}/origin/@code test`,
      `${place}/origin/since 2026-01-01`,
      `${place}/origin/hill test`,
    ]);
    assert.match(item?.body?.text ?? '', /<getTea xmlns="urn:tea"><teaId>1<\/teaId>/);
  });

  it('wraps the values of RPC style in an element of the operation', () => {
    const parts = '<part name="teaId" type="xs:int"/><part name="note" type="xs:string"/>';
    const [item] = read(wsdl({ parts, style: 'rpc' })).items;
    assert.match(
      item?.body?.text ?? '',
      /<op:getTea xmlns:op="urn:tea"><teaId>1<\/teaId><note>test<\/note><\/op:getTea>/,
    );
  });

  it('puts local elements of an unqualified schema in no namespace', () => {
    const [item] = read(wsdl({ types: SCHEMA.replace(' elementFormDefault="qualified"', '') })).items;
    assert.match(item?.body?.text ?? '', /<getTea xmlns="urn:tea"><teaId xmlns="">1<\/teaId>/);
  });

  it('is recognized behind a long comment, and only by its namespaces', () => {
    const document = wsdl({ types: SCHEMA });
    const withComment = document.replace('<wsdl:definitions', `<!-- ${'tea '.repeat(1_700)}--><wsdl:definitions`);
    assert.equal(read(withComment).items.length, 4);
    assert.equal(read(document.replaceAll('http://schemas.xmlsoap.org/wsdl/', 'urn:other/')).items.length, 0);
  });

  for (const text of ['<definitions/>', '<wsdl:definitions><a></wsdl:definitions>', '<html><definitions></html>'])
    it(`is not ${text}`, () => assert.equal(readDescription(text, 'https://shop.example/'), undefined));
});
