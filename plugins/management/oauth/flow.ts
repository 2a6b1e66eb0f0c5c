/** A sign-in by another place: its begin, and what the browser comes back with. */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Answer, ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { OAuthSource } from '../../services/oauth/index.js'
import type { Brought, StateForm } from './forms.js'
import { requestIdentity } from './identity-request.js'
import { people } from './people.js'
import { redirectUriFor } from './redirect-uri.js'
import { type Issued, stateSeconds, states } from './states.js'

export interface FlowDependencies {
  readonly services: Pick<
    Services,
    | 'database'
    | 'system'
    | 'options'
    | 'oauth'
    | 'one-time'
    | 'identity'
    | 'sign-in'
    | 'registration'
  >
  readonly clock: Clock
  readonly log: Log
}

type Persons = ReturnType<typeof people>

export class OAuthFlow {
  private readonly states: ReturnType<typeof states>
  private readonly persons: Persons

  constructor(private readonly dependencies: FlowDependencies) {
    const { database, system, registration, 'one-time': oneTime } = dependencies.services
    this.states = states(oneTime, system.environment.cookieSecure === true)
    this.persons = people(database, registration, () => this.now())
  }

  async begin(request: ManagementRequest<unknown, StateForm>): Promise<Answer> {
    const { body: form } = request
    const { oauth, options } = this.dependencies.services
    const source = oauth.source(form.provider)
    const principal = form.intent === 'bind' ? await this.liveSession(request) : undefined
    const redirectUri = redirectUriFor(source, options)
    const issued = await this.states.issue(request, { form, redirectUri, principal })
    const data = {
      flow_token: issued.state,
      state: issued.state,
      expires_at: Math.floor(this.dependencies.clock.now() / 1000) + stateSeconds,
      authorize_url: await this.addressOf(source, issued),
      style: source.style,
    }
    const headers = { 'set-cookie': issued.cookie }
    return { answer: true, data, headers }
  }

  async finish(
    request: ManagementRequest,
    { state: shown = '', ...brought }: Brought,
  ): Promise<Answer> {
    const { oauth, identity, 'sign-in': signIn } = this.dependencies.services
    const source = oauth.source(request.params.provider!)
    const principal = () => identity.principal(request)
    const { provider } = source
    const { begun: flow, binder } = await this.states.take(request, shown, { provider, principal })
    const who = await requestIdentity(
      { source, begun: flow, brought: { ...brought, state: shown } },
      this.dependencies.log,
    )
    const person = { provider, identity: who }
    if (binder !== undefined) return this.bound(person, source, binder)
    const coming = { aff: flow.aff, requestId: request.requestId }
    const { userId, joined } = await this.persons.find(person, coming)
    const answer = await signIn.begin(request, userId, 'oauth')
    return entered(answer, flow.redirect, `oauth ${provider}${joined ? ', joined' : ''}`)
  }

  /** Where the browser goes; null where the person stays on the page. */
  private async addressOf({ plugin, provider }: OAuthSource, ask: Issued): Promise<string | null> {
    if (plugin.authorize === undefined) return null
    try {
      const url = await plugin.authorize(ask)
      if (/^https?:$/.test(url.protocol)) return url.href
      throw new Error(`it would send the browser to ${url.protocol}`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const message = 'a sign-in provider gave no address to sign in at'
      this.dependencies.log.warn({ provider, reason }, message)
      throw new Refusal('oauth_failed')
    }
  }

  private async bound(
    person: Parameters<Persons['bind']>[0],
    { title, provider }: OAuthSource,
    { userId, username, role }: Principal,
  ): Promise<Answer> {
    await this.persons.bind(person, title, userId, this.now())
    const actor = { userId, username, role }
    const audit = { actor, object: `user ${userId}`, detail: `bind ${provider}` }
    return { answer: true, data: { action: 'bind' }, audit }
  }

  private async liveSession(request: ManagementRequest): Promise<Principal> {
    const { identity } = this.dependencies.services
    const principal = signedIn({ principal: await identity.principal(request) })
    if (principal.sessionId === undefined) throw new Refusal('session_required')
    return principal
  }

  private now(): Date {
    return new Date(this.dependencies.clock.now())
  }
}

/** What signing in returns, and where the browser goes next. */
function entered(answer: Answer, redirect: string, detail: string): Answer {
  const data = { ...(answer.data as object | undefined), redirect }
  return answer.audit === undefined
    ? { ...answer, data }
    : { ...answer, data, audit: { ...answer.audit, detail } }
}
