/** Signing in by another place: the state a browser begins with, what it comes back with, and who is bound to what (AUTH-8). */

import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import type { OAuth } from '../../services/oauth/index.js'
import { OAuthFlow } from './flow.js'
import { type Brought, broughtByBody, broughtByQuery, providerName, stateForm } from './forms.js'
import * as responses from './responses.js'
import { unbinding } from './unbinding.js'

export default function create(
  kit: Kit<
    | 'database'
    | 'system'
    | 'options'
    | 'oauth'
    | 'one-time'
    | 'identity'
    | 'sign-in'
    | 'registration'
    | 'verification'
  >,
): Management {
  const { services } = kit
  const flow = new OAuthFlow(kit)
  const finished = responses.finished(services['sign-in'])
  return {
    routes: {
      providers: { response: responses.buttonList, handle: () => services.oauth.buttons() },
      state: {
        body: stateForm,
        response: responses.begun,
        handle: (request) => flow.begin(request),
      },
      stateByGet: { response: noData, handle: noGet },
      finish: {
        params: providerName,
        query: broughtByQuery,
        response: finished,
        handle: (request: ManagementRequest<Brought>) => flow.finish(request, request.query),
      },
      finishByPost: {
        params: providerName,
        body: broughtByBody,
        response: finished,
        handle: (request: ManagementRequest<unknown, Brought>) =>
          flow.finish(request, request.body),
      },
      bindings: {
        response: responses.bindingList,
        handle: (request) => bindings(request, services.oauth),
      },
      unbind: { params: providerName, response: noData, handle: unbinding(services) },
    },
  }
}

async function bindings(request: ManagementRequest, oauth: OAuth) {
  const found = await oauth.bindings(signedIn(request).userId)
  return found.map(({ createdAt, ...binding }) => ({ ...binding, created_at: createdAt }))
}

/** A state in an answer to GET could be had by any page that shows it as an image (AUTH-8). */
function noGet(): never {
  const place = { method: 'GET', path: '/api/oauth/state' }
  throw new Refusal('method_not_allowed', place, { headers: { allow: 'POST' } })
}
