/** Signing in and out, and the sessions of the caller (management/README.md section 3). */

import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { refuseForeign } from '../../../kernel/toolkit/endpoint/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { noData, signedIn } from '../../../kernel/toolkit/management/index.js'
import {
  type CodeForm,
  codeForm,
  type LoginForm,
  loginForm,
  loginQuery,
  sessionName,
} from './forms.js'
import { openedSession } from './opened-session.js'
import { passwordLogin } from './password-login.js'
import { sessionList } from './responses.js'
import { sessionRecord } from './session-record.js'

export default function create({
  services,
  settings,
}: Kit<'database' | 'identity' | 'sign-in' | 'challenge' | 'guesses'>): Management {
  const { database, identity, 'sign-in': signIn } = services
  const enabled = () => settings.boolean('passwordLogin')
  const login = passwordLogin({ ...services, enabled })

  function secondStep(request: ManagementRequest<unknown, CodeForm>): Promise<Answer> {
    return signIn.finish(request, request.body.flow_token, request.body.code)
  }

  async function logout(request: ManagementRequest): Promise<Answer> {
    // A link or form of another page signs nobody out.
    refuseForeign(request.headers, request.secure)
    const { headers: sent, secure } = request
    const cookie = { cookie: sent.cookie }
    const principal = await identity.principal({ headers: cookie, secure, beforeFactor: true })
    const headers = identity.farewellHeaders(request.secure)
    if (principal === undefined) return { answer: true, data: null, headers }
    await identity.signOut(principal)
    const audit = { actor: principal, object: `user ${principal.userId}` }
    return { answer: true, data: null, headers, audit }
  }

  async function list(request: ManagementRequest) {
    const { userId, sessionId } = signedIn(request)
    const sessions = await identity.sessions(userId)
    return sessions.map((session) => sessionRecord(session, sessionId))
  }

  async function end(request: ManagementRequest): Promise<Answer> {
    const { userId, sessionId } = openedSession(request)
    const sid = String(request.params.sid)
    const own = (await identity.sessions(userId)).find((session) => session.sid === sid)
    if (!(await identity.endSession(userId, sid))) {
      throw new Refusal('gone_missing', { what: 'session', param: 'sid' })
    }
    if (own?.sessionId !== sessionId) return { answer: true, data: null }
    const headers = identity.farewellHeaders(request.secure)
    return { answer: true, data: null, headers }
  }

  async function endOthers(request: ManagementRequest) {
    const principal = openedSession(request)
    await database.knex.transaction((trx) => identity.cutSessions(principal.userId, trx, principal))
    return null
  }

  return {
    routes: {
      login: {
        query: loginQuery,
        body: loginForm,
        response: signIn.response(),
        handle: (request: ManagementRequest<unknown, LoginForm>) => login(request),
      },
      secondStep: { body: codeForm, response: signIn.response(), handle: secondStep },
      logout: { response: noData, handle: logout },
      logoutByPost: { response: noData, handle: logout },
      list: { response: sessionList, handle: list },
      end: { params: sessionName, response: noData, handle: end },
      endOthers: { response: noData, handle: endOthers },
    },
  }
}
