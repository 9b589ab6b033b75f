import type { Reply, Seen } from '../login-site.ts';
import { isRight, type LoginKind, page, SESSION, TOKEN } from './kit.ts';

const WSDL = `<?xml version="1.0"?>
<wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
  xmlns:tns="urn:shop" xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:shop">
  <wsdl:types><xs:schema targetNamespace="urn:shop" elementFormDefault="qualified">
    <xs:element name="Login"><xs:complexType><xs:sequence>
      <xs:element name="userName" type="xs:string"/><xs:element name="password" type="xs:string"/>
    </xs:sequence></xs:complexType></xs:element>
    <xs:element name="GetOrders"><xs:complexType><xs:sequence/></xs:complexType></xs:element>
  </xs:schema></wsdl:types>
  <wsdl:message name="LoginIn"><wsdl:part name="parameters" element="tns:Login"/></wsdl:message>
  <wsdl:message name="GetOrdersIn"><wsdl:part name="parameters" element="tns:GetOrders"/></wsdl:message>
  <wsdl:portType name="Shop">
    <wsdl:operation name="Login"><wsdl:input message="tns:LoginIn"/></wsdl:operation>
    <wsdl:operation name="GetOrders"><wsdl:input message="tns:GetOrdersIn"/></wsdl:operation>
  </wsdl:portType>
  <wsdl:binding name="Shop11" type="tns:Shop"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <wsdl:operation name="Login"><soap:operation soapAction="urn:shop/Login"/><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation>
    <wsdl:operation name="GetOrders"><soap:operation soapAction="urn:shop/GetOrders"/><wsdl:input><soap:body use="literal"/></wsdl:input></wsdl:operation>
  </wsdl:binding>
  <wsdl:service name="Shop"><wsdl:port name="a" binding="tns:Shop11"><soap:address location="http://localhost/ws"/></wsdl:port></wsdl:service>
</wsdl:definitions>`;

const said = (body: string, changes: Reply = {}): Reply => ({
  ...changes,
  headers: { 'Content-Type': 'text/xml', ...changes.headers },
  body: `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`,
});
const fault = (text: string) => said(`<s:Fault><faultstring>${text}</faultstring></s:Fault>`, { status: 500 });
const valueIn = (text: string, name: string) => new RegExp(`:?${name}>([^<]*)<`).exec(text)?.[1] ?? '';

/** A service whose front page links its description, and which names its procedures in SOAPAction. */
const service =
  (entered: Reply, isKnown: (seen: Seen) => boolean) =>
  (seen: Seen): Reply => {
    const { path, method, text, headers } = seen;
    if (method === 'GET') {
      if (path === '/ws?wsdl') return { headers: { 'Content-Type': 'text/xml' }, body: WSDL };
      return path === '/' ? page('Services <a href="/ws?wsdl">Orders</a>') : { status: 404, body: 'Not here' };
    }
    if (path !== '/ws') return { status: 404, body: 'Not here' };
    if (/Login/.test(String(headers.soapaction)))
      return isRight(valueIn(text, 'userName'), valueIn(text, 'password')) ? entered : fault('Invalid password');
    return isKnown(seen) ? said('<orders><order>7</order></orders>') : fault('Not logged in');
  };

/** Logins that a WSDL document describes. */
export const soapKinds: readonly LoginKind[] = [
  {
    name: 'SOAP with a cookie',
    site: () =>
      service(said('<welcome/>', { headers: { 'Set-Cookie': `${SESSION}; Path=/` } }), ({ cookie }) =>
        cookie.includes(SESSION),
      ),
    instructions: 'The service is described at /ws?wsdl.',
  },
  {
    name: 'SOAP with a token in a header',
    site: () =>
      service(
        said(`<loginResult><token>${TOKEN}</token></loginResult>`),
        ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
      ),
    instructions: 'The service is described at /ws?wsdl.',
  },
];
