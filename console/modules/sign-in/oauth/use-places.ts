/** The places one can sign in by, and going there. */
import { useQuery } from '@tanstack/vue-query'
import { beginOAuth, type OAuthProvider, readOAuthProviders } from '../../../api/oauth.js'

export function usePlaces() {
  return useQuery({
    queryKey: ['oauth', 'providers'],
    queryFn: readOAuthProviders,
    staleTime: 60_000,
  })
}

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
