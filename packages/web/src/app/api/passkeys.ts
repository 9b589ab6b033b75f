import { callAuth } from './auth.ts';
import { ApiError } from './errors.ts';

/** Whether this browser has passkeys at this address: they need a host name and, except for localhost, HTTPS. */
export function hasPasskeys(): boolean {
  const isName = /[a-z]/i.test(location.hostname) && !location.hostname.includes(':');
  return isName && 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Signs in by a passkey that the person chooses in a dialog of the browser. */
export async function signInByPasskey(): Promise<unknown> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>('passkey/generate-authenticate-options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const response = await ask(() => navigator.credentials.get({ publicKey }));
  return callAuth('passkey/verify-authentication', { response });
}

/** Creates a passkey on a device of the person, with a name to recognize it by. */
export async function addPasskey(name: string): Promise<unknown> {
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>('passkey/generate-register-options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await ask(() => navigator.credentials.create({ publicKey }));
  return callAuth('passkey/verify-registration', { response, name });
}

async function ask(request: () => Promise<Credential | null>): Promise<unknown> {
  const credential = await request().catch((error: unknown) => {
    throw refusal(error instanceof DOMException && error.name === 'InvalidStateError' ? KNOWN : REFUSED);
  });
  if (!(credential instanceof PublicKeyCredential)) throw refusal(REFUSED);
  return credential.toJSON();
}

const KNOWN = 'This device has a passkey of yours already.';
/** Browsers do not tell whether the person cancelled or the device has no passkey. */
const REFUSED = 'No passkey was used. The dialog was cancelled, or the device has none for this service.';

function refusal(message: string): ApiError {
  return new ApiError({ code: 'PASSKEY_REFUSED', status: 0, message, field: undefined, retryAfterSeconds: undefined });
}
