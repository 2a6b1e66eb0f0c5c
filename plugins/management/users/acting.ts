/** What admins do to users; each names what the audit log keeps of it. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Services } from '../../../kernel/contract/service.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { exact, signedIn } from '../../../kernel/toolkit/management/index.js'
import { type Movement, moveBalance } from './balance.js'
import type { ManageForm, NewUserForm, UserChanges } from './forms.js'
import type { People } from './people.js'
import { mustBeRoot } from './rank.js'
import { userRecord } from './reading.js'

export interface ActingDependencies
  extends Pick<
    Services,
    'database' | 'changes' | 'identity' | 'ledger' | 'pricing' | 'verification'
  > {
  readonly users: People
}

export async function createUser(
  request: ManagementRequest<unknown, NewUserForm>,
  dependencies: ActingDependencies,
): Promise<Answer> {
  const form = request.body
  if (form.role >= signedIn(request).role) throw new Refusal('forbidden', { param: 'role' })
  requireGroup(form.group, dependencies)
  const id = await dependencies.users.create(form)
  const audit = { object: `user ${id}`, detail: `role ${form.role}` }
  return { answer: true, data: await userRecord(id, dependencies), audit }
}

export async function updateUser(
  request: ManagementRequest<unknown, UserChanges>,
  dependencies: ActingDependencies,
): Promise<Answer> {
  const form = request.body
  if (form.group !== undefined) requireGroup(form.group, dependencies)
  const { before, after } = await dependencies.users.update(signedIn(request), form)
  const { id, ...changed } = form
  const audit = { object: `user ${id}`, detail: Object.keys(changed).join(' '), before, after }
  return { answer: true, data: await userRecord(id, dependencies), audit }
}

export async function manageUser(
  request: ManagementRequest<unknown, ManageForm>,
  dependencies: ActingDependencies,
): Promise<Answer> {
  const form = request.body
  if (form.action === 'add_quota') return changeBalance({ ...request, body: form }, dependencies)
  const { before, after } = await dependencies.users.act(signedIn(request), form.id, form.action)
  const audit = { object: `user ${form.id}`, detail: form.action, before, after }
  return { answer: true, data: after, audit }
}

/** Money made by hand is root's alone, with a reason and a fresh proof (E8). */
async function changeBalance(
  request: ManagementRequest<unknown, Movement>,
  dependencies: ActingDependencies,
): Promise<Answer> {
  const { id, mode, value, remark } = request.body
  mustBeRoot(signedIn(request))
  const { role, status, deleted_at } = await dependencies.users.get(id)
  if (deleted_at !== null) throw new Refusal('gone_missing', { what: 'user', param: 'id' })
  await requireRight(request, dependencies)
  const { before, after } = await moveBalance(dependencies, request)
  const detail = `balance ${mode} ${value}: ${remark}`
  const states = { before: String(before), after: String(after) }
  const audit = { object: `user ${id}`, detail, ...states }
  return { answer: true, data: { role, status, quota: exact(after) }, audit }
}

/** A person verifies; a token that carries the right names its movement, so that a repeat moves nothing again. */
export async function requireRight(
  request: ManagementRequest<unknown, unknown>,
  { verification }: Pick<ActingDependencies, 'verification'>,
): Promise<void> {
  if (signedIn(request).accessToken?.dailyCredit === undefined) {
    await verification.require(request, 'balance')
  } else if (request.moneyPrint === undefined) {
    const reason = 'A token that moves balances names each movement by the header Idempotency-Key.'
    throw new Refusal('invalid_field', { reason, param: 'Idempotency-Key' })
  }
}

export async function removeUser(request: ManagementRequest, users: People): Promise<Answer> {
  const id = idOf(request)
  const { before, after } = await users.act(signedIn(request), id, 'delete')
  return { answer: true, data: null, audit: { object: `user ${id}`, before, after } }
}

export async function removeFactor(
  request: ManagementRequest,
  users: People,
  which: 'totp' | 'passkeys',
): Promise<Answer> {
  const id = idOf(request)
  await users.removeFactor(signedIn(request), id, which)
  return { answer: true, data: null, audit: { object: `user ${id}`, detail: which } }
}

export async function endSessions(request: ManagementRequest, users: People): Promise<Answer> {
  const id = idOf(request)
  const ended = await users.endSessions(signedIn(request), id)
  const audit = { object: `user ${id}`, detail: String(ended) }
  return { answer: true, data: { ended }, audit }
}

export async function unbind(request: ManagementRequest, users: People): Promise<Answer> {
  const id = idOf(request)
  const binding = String(request.params.binding_type)
  await users.unbind(signedIn(request), id, binding)
  return { answer: true, data: null, audit: { object: `user ${id}`, detail: binding } }
}

export function idOf({ params }: ManagementRequest): number {
  return Number(params.id)
}

function requireGroup(group: string, { pricing }: Pick<ActingDependencies, 'pricing'>): void {
  if (pricing.groups().includes(group)) return
  const reason = `There is no group "${group}".`
  throw new Refusal('invalid_field', { reason, param: 'group' })
}
