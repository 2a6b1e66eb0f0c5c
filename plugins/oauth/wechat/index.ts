/**
 * Signing in with WeChat: an official account sends a person a code, the person types it here, and a helper server
 * that runs the account reports whose code it is.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  OAuthAnswer,
  OAuthIdentity,
  OAuthProvider,
  TypedWrong,
} from '../../../kernel/contract/oauth.js'
import { parsedObject } from '../../../kernel/toolkit/json/index.js'

export default function create({ settings, fetch }: OutgoingKit): OAuthProvider {
  async function identify({ params }: OAuthAnswer): Promise<OAuthIdentity> {
    const code = params.code?.trim() ?? ''
    if (!/^[\w-]{1,64}$/.test(code)) throw typedWrong('This is no code of the WeChat account.')
    const base = settings.string('serverAddress').replace(/\/+$/, '')
    const response = await fetch(`${base}/api/wechat/user?code=${code}`, {
      headers: { accept: 'application/json', authorization: settings.string('serverToken') },
    })
    return { subject: subjectFrom((await answered(response)).data) }
  }

  return {
    identify,
    ready: () =>
      URL.canParse(settings.string('serverAddress')) && settings.string('serverToken') !== '',
  }
}

function typedWrong(message: string): TypedWrong {
  return Object.assign(new Error(message), { field: 'code' })
}

async function answered(response: Response): Promise<JsonObject> {
  const body = parsedObject(await response.text())
  if (!response.ok || body === undefined) {
    throw new Error(`The WeChat server answered with status ${response.status} and no person.`)
  }
  if (body.success === false) throw typedWrong('The WeChat server does not know this code.')
  if (body.success !== true) throw new Error('The WeChat server did not say whose code it is.')
  return body
}

/** An `openid` of the official account. */
function subjectFrom(id: Json | undefined): string {
  if (typeof id === 'string' && /^[\w-]{1,128}$/.test(id)) return id
  throw new Error('The WeChat server returned no id of the person.')
}
