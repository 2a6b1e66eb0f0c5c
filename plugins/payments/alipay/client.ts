/** Requests of Alipay's interface, signed, and responses whose signature is verified. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import { parsedText, someText } from '../../../kernel/toolkit/json/index.js'
import type { Merchant } from './settings.js'
import { isSignedText, type Parameters, signature } from './sign.js'
import { atBeijing } from './times.js'

export interface Request {
  readonly method: string
  readonly content: JsonObject
  readonly addresses?: { readonly notify_url: string; readonly return_url: string }
}

export function addressOf({ isTest }: Merchant): string {
  const host = isTest ? 'openapi-sandbox.dl.alipaydev.com' : 'openapi.alipay.com'
  return `https://${host}/gateway.do`
}

/** `now`: Unix milliseconds. */
export function signedRequest(
  { method, content, addresses }: Request,
  { appId, appKey }: Merchant,
  now: number,
): Parameters {
  const parameters = {
    ...{ app_id: appId, method, format: 'JSON', charset: 'utf-8', sign_type: 'RSA2' },
    ...{ timestamp: atBeijing(now), version: '1.0', ...addresses },
    biz_content: JSON.stringify(content),
  }
  return { ...parameters, sign: signature(parameters, appKey) }
}

/** Rejects where Alipay cannot be reached or its response is not genuine. */
export async function called(
  request: Request,
  merchant: Merchant,
  { fetch, now }: Pick<OutgoingKit, 'fetch'> & { readonly now: number },
): Promise<JsonObject> {
  const response = await fetch(`${addressOf(merchant)}?charset=utf-8`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(signedRequest(request, merchant, now)).toString(),
  })
  const text = await response.text()
  const name = `${request.method.replaceAll('.', '_')}_response`
  const found = parsedText(text)
  const result = isObject(found) ? found[name] : undefined
  if (!response.ok || !isObject(found) || !isObject(result)) {
    throw new Error(`Alipay returned status ${response.status} and no result.`)
  }
  const raw = rawOf(text, name)
  const given = someText(found.sign) ?? ''
  if (raw === undefined || !isSignedText(raw, given, merchant.platformKey)) {
    throw new Error('The response of Alipay is not genuine.')
  }
  return result
}

/** The bytes that are signed: the object of the name as it stands in the response, which the signature follows. */
function rawOf(text: string, name: string): string | undefined {
  const start = `{"${name}":`
  const end = text.lastIndexOf(',"sign":')
  return text.startsWith(start) && end > start.length ? text.slice(start.length, end) : undefined
}
