/** The access tokens of users, as those see and end them who outrank their owner; root sees everybody's. */
import type { Answer, ManagementRequest, Principal } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Identity } from '../../services/identity/index.js'
import type { People } from './people.js'
import { mustOutrank } from './rank.js'
import { roles } from './user-row.js'

export interface UsersAccessTokensDependencies {
  readonly identity: Pick<Identity, 'accessTokens'>
  readonly users: Pick<People, 'get'>
}

export function usersAccessTokens({ identity, users }: UsersAccessTokensDependencies) {
  async function ownerFor(caller: Principal, { params }: ManagementRequest): Promise<number> {
    const owner = await users.get(Number(params.id))
    if (caller.role !== roles.root) mustOutrank(caller, owner)
    return owner.id
  }

  async function list(request: ManagementRequest) {
    return identity.accessTokens.list(await ownerFor(signedIn(request), request))
  }

  async function remove(request: ManagementRequest): Promise<Answer> {
    const owner = await ownerFor(signedIn(request), request)
    const id = Number(request.params.token_id)
    const ended = await identity.accessTokens.end(owner, { id })
    if (ended === undefined) {
      throw new Refusal('gone_missing', { what: 'access token', param: 'token_id' })
    }
    const detail = `access token ${ended.id} "${ended.name}"`
    return { answer: true, data: null, audit: { object: `user ${owner}`, detail } }
  }

  return { list, remove }
}
