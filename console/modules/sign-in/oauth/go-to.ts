/** Going to another place to sign in there. */
import { beginOAuth, type OAuthProvider } from '../../../api/oauth.js'

export interface Going {
  readonly aff?: string
  readonly redirect?: string
}

/** The state, for who stays on the page and types a code; never, for who is on the way. Undefined: it cannot be done here. */
export async function goTo(
  { provider, style }: OAuthProvider,
  going: Going,
): Promise<string | undefined> {
  const { state, authorize_url } = await beginOAuth(provider, { intent: 'login', ...going })
  if (authorize_url !== null) {
    location.assign(authorize_url)
    return new Promise(() => undefined)
  }
  return style === 'code' ? state : undefined
}
