/** Signing in by another place: the state a browser begins with, what it comes back with, and who is bound to what (AUTH-8). */

import type {
  Answer,
  Management,
  ManagementRequest,
  Principal,
} from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { OAuthSource } from '../../services/oauth/index.js'
import {
  type Brought,
  broughtByBody,
  broughtByQuery,
  providerName,
  type StateForm,
  stateForm,
} from './forms.js'
import { requestIdentity } from './identity-request.js'
import { people } from './people.js'
import { redirectUriFor } from './redirect-uri.js'
import * as responses from './responses.js'
import { type Issued, stateSeconds, states } from './states.js'
import { unbinding } from './unbinding.js'

export default function create({
  services,
  clock,
  log,
}: Kit<
  | 'database'
  | 'system'
  | 'options'
  | 'oauth'
  | 'one-time'
  | 'identity'
  | 'sign-in'
  | 'registration'
  | 'verification'
>): Management {
  const { database, system, options, oauth, identity, registration } = services
  const { 'one-time': oneTime, 'sign-in': signIn } = services
  const now = () => new Date(clock.now())
  const begun = states(oneTime, system.environment.cookieSecure === true)
  const persons = people(database, registration, now)
  const unbind = unbinding(services)

  async function state(request: ManagementRequest<unknown, StateForm>): Promise<Answer> {
    const { body: form } = request
    const source = oauth.source(form.provider)
    const principal = form.intent === 'bind' ? await liveSession(request) : undefined
    const redirectUri = redirectUriFor(source, options)
    const issued = await begun.issue(request, { form, redirectUri, principal })
    const data = {
      flow_token: issued.state,
      state: issued.state,
      expires_at: Math.floor(clock.now() / 1000) + stateSeconds,
      authorize_url: await addressOf(source, issued),
      style: source.style,
    }
    const headers = { 'set-cookie': issued.cookie }
    return { answer: true, data, headers }
  }

  /** Where the browser goes; null where the person stays on the page. */
  async function addressOf({ plugin, provider }: OAuthSource, ask: Issued): Promise<string | null> {
    if (plugin.authorize === undefined) return null
    try {
      const url = await plugin.authorize(ask)
      if (/^https?:$/.test(url.protocol)) return url.href
      throw new Error(`it would send the browser to ${url.protocol}`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ provider, reason }, 'a sign-in provider gave no address to sign in at')
      throw new Refusal('oauth_failed')
    }
  }

  async function finish(
    request: ManagementRequest,
    { state: shown = '', ...brought }: Brought,
  ): Promise<Answer> {
    const source = oauth.source(request.params.provider!)
    const principal = () => identity.principal(request)
    const { provider } = source
    const { begun: flow, binder } = await begun.take(request, shown, { provider, principal })
    const who = await requestIdentity(
      { source, begun: flow, brought: { ...brought, state: shown } },
      log,
    )
    const person = { provider, identity: who }
    if (binder !== undefined) return bound(person, source, binder)
    const coming = { aff: flow.aff, requestId: request.requestId }
    const { userId, joined } = await persons.find(person, coming)
    const answer = await signIn.begin(request, userId, 'oauth')
    return entered(answer, flow.redirect, `oauth ${provider}${joined ? ', joined' : ''}`)
  }

  async function bound(
    person: Parameters<typeof persons.bind>[0],
    { title, provider }: OAuthSource,
    { userId, username, role }: Principal,
  ): Promise<Answer> {
    await persons.bind(person, title, userId, now())
    const actor = { userId, username, role }
    const audit = { actor, object: `user ${userId}`, detail: `bind ${provider}` }
    return { answer: true, data: { action: 'bind' }, audit }
  }

  async function liveSession(request: ManagementRequest): Promise<Principal> {
    const principal = signedIn({ principal: await identity.principal(request) })
    if (principal.sessionId === undefined) throw new Refusal('session_required')
    return principal
  }

  async function bindings(request: ManagementRequest) {
    const found = await oauth.bindings(signedIn(request).userId)
    return found.map(({ createdAt, ...binding }) => ({ ...binding, created_at: createdAt }))
  }

  const finished = responses.finished(signIn)
  return {
    routes: {
      providers: { response: responses.buttonList, handle: () => oauth.buttons() },
      state: { body: stateForm, response: responses.begun, handle: state },
      stateByGet: { response: noData, handle: noGet },
      finish: {
        params: providerName,
        query: broughtByQuery,
        response: finished,
        handle: (request: ManagementRequest<Brought>) => finish(request, request.query),
      },
      finishByPost: {
        params: providerName,
        body: broughtByBody,
        response: finished,
        handle: (request: ManagementRequest<unknown, Brought>) => finish(request, request.body),
      },
      bindings: { response: responses.bindingList, handle: bindings },
      unbind: { params: providerName, response: noData, handle: unbind },
    },
  }
}

/** What signing in answers, and where the browser goes next. */
function entered(answer: Answer, redirect: string, detail: string): Answer {
  const data = { ...(answer.data as object | undefined), redirect }
  return answer.audit === undefined
    ? { ...answer, data }
    : { ...answer, data, audit: { ...answer.audit, detail } }
}

/** A state in an answer to GET could be had by any page that shows it as an image (AUTH-8). */
function noGet(): never {
  const place = { method: 'GET', path: '/api/oauth/state' }
  throw new Refusal('method_not_allowed', place, { headers: { allow: 'POST' } })
}
