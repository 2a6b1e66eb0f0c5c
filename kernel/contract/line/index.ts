/** What the line is: the record of a request, its money, replies and stages. For authors of stages and guards. Types only. */
export type * from './attempt.js'
export type * from './channel.js'
export type * from './delivery.js'
export type * from './money.js'
export type * from './people.js'
export type * from './record.js'
export type * from './reply.js'
export type * from './stages.js'
