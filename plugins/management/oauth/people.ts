/**
 * Who somebody of another place is here. A new one becomes a user; nobody is taken for a user because of an e-mail
 * address, which another place may have let anyone claim (E10).
 */
import type { Knex } from 'knex'
import type { OAuthIdentity } from '../../../kernel/contract/oauth.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { mailAddress } from '../../../kernel/toolkit/management/index.js'
import type { Registration } from '../../services/registration/index.js'

interface Person {
  readonly provider: string
  readonly identity: OAuthIdentity
}

interface Newcoming {
  readonly aff: string
  readonly requestId: string
}

export interface People {
  /** The user, made where there was none. Two who come at once for the first time are one. */
  find(
    person: Person,
    coming: Newcoming,
  ): Promise<{ readonly userId: number; readonly joined: boolean }>
  /** Throws `conflict` where the person is another's, or the user has one of this provider. */
  bind(person: Person, title: string, userId: number, now: Date): Promise<void>
}

/** Names may be taken by somebody else at the same moment. */
const attemptsMax = 3

export function people({ knex }: Database, registration: Registration, now: () => Date): People {
  async function find(person: Person, coming: Newcoming) {
    const known = await userOf(person, knex)
    if (known !== undefined) return { userId: known, joined: false }
    registration.admits('oauth')
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await knex.transaction((trx) => join(person, coming, trx))
      } catch (error) {
        const isTaken = error instanceof Refusal && error.code === 'conflict'
        if (!isTaken || attempt === attemptsMax) throw error
      }
    }
  }

  async function join(person: Person, coming: Newcoming, trx: Knex.Transaction) {
    const { provider, identity } = person
    // Held to the end: whoever comes second finds what the first has made.
    await trx.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `oauth ${provider} ${identity.subject}`,
    ])
    const known = await userOf(person, trx)
    if (known !== undefined) return { userId: known, joined: false }
    const username = await registration.freeName(identity.username, `${provider}_`, trx)
    const email = await emailFor(identity, trx)
    const userId = await registration.join(
      {
        by: 'oauth',
        username,
        displayName: shown(identity.displayName) || username,
        ...(email !== undefined && { email, emailVerified: true }),
        ...(coming.aff !== '' && { invitationCode: coming.aff }),
        requestId: coming.requestId,
      },
      trx,
    )
    await trx('oauth_identities').insert(rowOf(person, userId, now()))
    return { userId, joined: true }
  }

  /** Only one the provider vouches for, the rules let in and nobody has shown to be theirs. */
  async function emailFor(identity: OAuthIdentity, trx: Knex.Transaction) {
    const email = mailAddress(identity.email ?? '')
    if (email === undefined || identity.emailVerified !== true) return undefined
    try {
      registration.checkEmail(email)
    } catch {
      return undefined
    }
    const owner = await trx('users')
      .whereRaw('lower(email) = lower(?)', [email])
      .where('email_verified', true)
      .whereNull('deleted_at')
      .first('id')
    return owner === undefined ? email : undefined
  }

  async function bind(person: Person, title: string, userId: number, at: Date): Promise<void> {
    const made = await knex('oauth_identities')
      .insert(rowOf(person, userId, at))
      .onConflict()
      .ignore()
      .returning('id')
    if (made.length > 0) return
    const owner = await userOf(person, knex)
    const reason =
      owner === undefined || owner === userId
        ? `You can sign in by ${title} already; unbind that first.`
        : `This account of ${title} belongs to another user here.`
    throw new Refusal('conflict', { reason, param: 'provider' })
  }

  return { find, bind }
}

const nameLengthMax = 64

async function userOf({ provider, identity }: Person, from: Knex): Promise<number | undefined> {
  const row = await from('oauth_identities')
    .where({ provider, subject: identity.subject })
    .first('user_id')
  return row?.user_id
}

function rowOf({ provider, identity }: Person, userId: number, now: Date) {
  const name = shown(identity.username) || shown(identity.displayName)
  return { user_id: userId, provider, subject: identity.subject, name, created_at: now }
}

/** A name from outside as it may stand in a page: one line, nothing that turns or hides. */
function shown(name: string | undefined): string {
  const line = (name ?? '').normalize('NFC').replace(unshown, '').trim()
  return [...line].slice(0, nameLengthMax).join('')
}

const unshown = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}\u200b\u2060\ufeff]/gu
