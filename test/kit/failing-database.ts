/**
 * A database on PostgreSQL that fails where a test names it: at the next statement of a text, or at the commit behind it. Connections
 * of the query builder are really broken, and its transactions really read-only; the pools fail in the words of the driver.
 */
import type pg from 'pg'
import type { OpenDatabase } from '../../kernel/store/database.js'

/**
 * `lost`: the connection breaks before the server has the statement. `unacknowledged`: it breaks behind the work, so that nobody
 * hears of it. `readOnly`: nothing can be written. `late`: the statement runs into its limit.
 */
export type Fault = 'lost' | 'unacknowledged' | 'readOnly' | 'late'

export interface Place {
  /** The statement; of the pools its name and values: `billing-apply … {close} …`. */
  readonly at: RegExp
  /** The fault comes with the commit of its transaction. */
  readonly commit?: boolean
}

export interface FailingDatabase {
  wrap(database: OpenDatabase): OpenDatabase
  /** Fails once, and with `stays` from then on. Resolves when it does for the first time. */
  strike(fault: Fault, place: Place & { readonly stays?: boolean }): Promise<void>
  /** The result of the statement does not come before it is let go; with `unsent` it is not even done before. */
  slow(place: Place & { readonly unsent?: boolean }): {
    readonly reached: Promise<void>
    letGo(): void
  }
  mend(): void
}

interface Way {
  send(): Promise<unknown>
  suffer(fault: Fault): Promise<unknown>
}

type Armed = Place & { run(way: Way): Promise<unknown> }
type Done = (error: unknown, result?: unknown) => void
type Connection = pg.Client & { isWatched?: true }

export function failingDatabase(): FailingDatabase {
  let armed: Armed | undefined
  let staying: Fault | undefined

  function through(text: string, way: Way, isNoted = false): Promise<unknown> {
    if (armed !== undefined && (armed.commit === true ? isNoted : armed.at.test(text))) {
      const { run } = armed
      armed = undefined
      return run(way)
    }
    return staying === undefined ? way.send() : way.suffer(staying)
  }

  function watch(connection: Connection): void {
    if (connection.isWatched) return
    const own = connection.query.bind(connection) as (config: unknown, done: Done) => void
    const ask = (config: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        own(config, (error, result) => (error ? reject(error) : resolve(result)))
      })
    let isOpen = false
    let isNoted = false
    const query = (config: string | pg.QueryConfig, done: Done) => {
      const text = typeof config === 'string' ? config : config.text
      const isEnd = /^(commit|rollback)/i.test(text)
      const isBegin = /^begin/i.test(text)
      if (isBegin) isNoted = false
      if (isOpen && armed?.commit === true && armed.at.test(text)) isNoted = true
      const isBound = isBegin || isEnd
      const way = knexWay(connection, () => ask(config), { ask, isOpen, isBound })
      isOpen = isBegin || (isOpen && !isEnd)
      const isCommit = isNoted && /^commit/i.test(text)
      through(text, way, isCommit).then((result) => done(null, result), done)
    }
    Object.assign(connection, { query, isWatched: true })
  }

  return {
    wrap(database) {
      const { client } = database.knex
      const acquire = client.acquireConnection.bind(client)
      client.acquireConnection = async () => {
        if (staying === 'lost') throw refused()
        const connection = await acquire()
        watch(connection)
        return connection
      }
      const pooled = (send: OpenDatabase['query']): OpenDatabase['query'] => {
        return (statement) => {
          const text = `${statement.name} ${statement.values.join(' ')}`
          return through(
            text,
            poolWay(() => send(statement)),
          ) as ReturnType<typeof send>
        }
      }
      return { ...database, query: pooled(database.query), billing: pooled(database.billing) }
    },
    strike: (fault, { stays = false, ...place }) =>
      new Promise((resolve) => {
        armed = {
          ...place,
          run(way) {
            if (stays) staying = fault === 'unacknowledged' ? 'lost' : fault
            resolve()
            return way.suffer(fault)
          },
        }
      }),
    slow({ unsent = false, ...place }) {
      let letGo = () => {}
      const released = new Promise<void>((resolve) => {
        letGo = resolve
      })
      const reached = new Promise<void>((resolve) => {
        armed = {
          ...place,
          async run(way) {
            const result = unsent ? undefined : await way.send()
            resolve()
            await released
            return unsent ? way.send() : result
          },
        }
      })
      return { reached, letGo }
    },
    mend() {
      staying = undefined
      armed = undefined
    },
  }
}

interface Session {
  ask(text: string): Promise<unknown>
  /** Within a transaction. */
  readonly isOpen: boolean
  /** The statement begins or ends one. */
  readonly isBound: boolean
}

function knexWay(connection: Connection, send: () => Promise<unknown>, session: Session): Way {
  const { ask, isOpen, isBound } = session
  const breakOff = () => {
    const { stream } = (connection as unknown as { connection: { stream: { destroy(): void } } })
      .connection
    stream.destroy()
  }
  return {
    send,
    async suffer(fault) {
      if (fault === 'late') {
        // A server that gives up on the end of a transaction undoes it.
        if (isOpen && isBound) await ask('ROLLBACK')
        throw late()
      }
      if (fault === 'lost') {
        breakOff()
        return send()
      }
      if (fault === 'unacknowledged') {
        await send()
        breakOff()
        return ask('SELECT 1')
      }
      if (isBound) return send()
      if (isOpen) {
        await ask('SET TRANSACTION READ ONLY')
        return send()
      }
      await ask('SET default_transaction_read_only = on')
      return send().finally(() => ask('SET default_transaction_read_only = off'))
    },
  }
}

function poolWay(send: () => Promise<unknown>): Way {
  return {
    send,
    async suffer(fault) {
      if (fault === 'unacknowledged') await send()
      if (fault === 'readOnly') throw coded('cannot execute in a read-only transaction', '25006')
      throw fault === 'late' ? late() : coded('read ECONNRESET', 'ECONNRESET')
    },
  }
}

function late(): Error {
  return coded('canceling statement due to statement timeout', '57014')
}

function refused(): Error {
  return coded('connect ECONNREFUSED', 'ECONNREFUSED')
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}
