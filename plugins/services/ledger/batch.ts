/**
 * One batch of billing operations as one call of `billing_apply`: its parameters, and its answer in
 * words.
 */
import type { Database, Statement } from '../../../kernel/contract/services/database.js'

export interface Operation {
  /** `abandon`: the close of a request whose reserve may never have arrived. */
  readonly kind: 'reserve' | 'close' | 'abandon' | 'mark'
  readonly requestId: string
  readonly userId: number
  /** Account requested; the stored row's wins. */
  readonly accountId: number
  readonly tokenId: number | undefined
  /** Reserves: counts from 1; what is not newer than the stored revision changes nothing. */
  readonly revision: number
  /**
   * Reserve: what shall be set aside in all. Close: what it cost. Mark: what it costs so far.
   * Quota.
   */
  readonly amount: bigint
  /**
   * JSON text. Reserve: `kind` and `draft`; close: outcome, usage and the facts of the log row;
   * `null` otherwise.
   */
  readonly payload: string
}

/** The calling process: its name and the epoch it took when it started. */
export interface Owner {
  readonly instance: string
  readonly epoch: bigint
}

const words = {
  o: 'ok',
  c: 'closed',
  /** Closed by an earlier call; `stored` holds how. */
  y: 'already',
  /** A reserve or mark of a request that is closed. */
  x: 'ended',
  /** Not newer; `stored` stands. */
  d: 'dup',
  n: 'none',
  s: 'short',
  t: 'shortToken',
  /** Of a key whose period has a budget; `stored` holds what that has left. */
  b: 'shortBudget',
  /** Refused only for its neighbours, or made by another session meanwhile: ask again alone. */
  a: 'again',
  g: 'gone',
  /** The asking process has been replaced or was silent too long. */
  f: 'fenced',
} as const

type Verdict = (typeof words)[keyof typeof words]

export interface Applied {
  readonly verdict: Verdict
  /** What stood before; with `closed` only when the charge fell short, with `ok` and `shortBudget` only of a key with a budget. */
  readonly stored?: StoredRequest
}

export interface StoredRequest {
  readonly state: string
  readonly settled: bigint
  readonly shortfall: bigint
  readonly outcome: string
  readonly reserved: bigint
  readonly revision: number
  /** What the budget of the period has left, this hold counted. Absent: there is none. */
  readonly budgetLeft?: bigint
}

/** Resolves after COMMIT, one answer per operation, in order. */
export async function applyBatch(
  database: Database,
  owner: Owner,
  batch: readonly Operation[],
): Promise<readonly Applied[]> {
  const { rows } = await database.billing(statement(owner, batch))
  const { reserves, closes, marks, notes } = rows[0] ?? {}
  const close = letters(closes)
  const next = { reserve: letters(reserves), close, abandon: close, mark: letters(marks) }
  return batch.map(({ kind, requestId }) => answer(next[kind](), notes?.[requestId]))
}

/**
 * Array and JSON texts are written here at once: the driver would quote and escape each element
 * anew.
 */
function statement({ instance, epoch }: Owner, batch: readonly Operation[]): Statement {
  let ids = ''
  let kinds = ''
  let users = ''
  let accounts = ''
  let tokens = ''
  let revisions = ''
  let amounts = ''
  let payloads = ''
  let comma = ''
  for (const operation of batch) {
    ids += `${comma}"${operation.requestId}"`
    kinds += comma + operation.kind
    users += comma + operation.userId
    accounts += comma + operation.accountId
    tokens += comma + (operation.tokenId ?? 'NULL')
    revisions += comma + operation.revision
    amounts += comma + operation.amount
    payloads += comma + operation.payload
    comma = ','
  }
  return {
    name: 'billing-apply',
    text: `SELECT reserves, closes, marks, notes
      FROM billing_apply($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      instance,
      epoch,
      `{${ids}}`,
      `{${kinds}}`,
      `{${users}}`,
      `{${accounts}}`,
      `{${tokens}}`,
      `{${revisions}}`,
      `{${amounts}}`,
      `[${payloads}]`,
    ],
  }
}

/** Hands out the letters of one kind, in order. */
function letters(text: unknown): () => string {
  let at = 0
  return () => {
    const letter = typeof text === 'string' ? text[at++] : undefined
    if (letter === undefined) throw new Error('billing_apply did not answer every operation')
    return letter
  }
}

const plain = new Map<string, Applied>(
  Object.entries(words).map(([letter, verdict]) => [letter, { verdict }]),
)

function answer(letter: string, note: Note | undefined): Applied {
  const applied = plain.get(letter)
  if (!applied) throw new Error(`billing_apply answered ${letter}`)
  return note ? { verdict: applied.verdict, stored: storedOf(note) } : applied
}

function storedOf(note: Note): StoredRequest {
  const [state, settled, shortfall, outcome, reserved, revision, budgetLeft] = note
  return {
    state: state ?? '',
    settled: BigInt(settled ?? 0),
    shortfall: BigInt(shortfall),
    outcome: outcome ?? '',
    reserved: BigInt(reserved),
    revision: revision ?? 0,
    budgetLeft: budgetLeft ? BigInt(budgetLeft) : undefined,
  }
}

type Note = readonly [
  state: string | null,
  settled: string | null,
  shortfall: string,
  outcome: string | null,
  reserved: string,
  revision: number | null,
  budgetLeft?: string | null,
]
