/**
 * Loaded into a gateway under test before anything else: sends its parent the plan of each statement that reads a whole
 * large table. The database sends plans as notices (auto_explain).
 */
import pg from 'pg'

const connect = pg.Client.prototype.connect as (...parameters: unknown[]) => unknown

/** A plan names what it reads after these words; an index that is read from end to end is not among them. */
const scan = /(?:Parallel )?Seq Scan on (\w+)/g

pg.Client.prototype.connect = function (this: pg.Client, ...parameters: unknown[]) {
  this.on('notice', ({ message = '' }) => {
    const tables = [...message.matchAll(scan)].map(([, table]) => table)
    if (tables.length > 0) process.send?.({ tables, statement: message.slice(0, 2_000) })
  })
  return connect.apply(this, parameters)
} as typeof pg.Client.prototype.connect
