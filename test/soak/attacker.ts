/** A process of attackers: every attack at once, in all its lanes, until the parent leaves. Replies are counted by kind. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Aim, type Attack, attacks } from './attacks.js'

export type Outcomes = Record<string, Record<string, number>>

const outcomes: Outcomes = {}
let over = false

process.on('message', (message: Aim | 'outcomes') => {
  if (message === 'outcomes') {
    process.send?.(outcomes)
    return
  }
  for (const [name, attack] of Object.entries(attacks)) {
    for (let lane = 0; lane < attack.lanes; lane += 1) void repeat(name, attack, message)
  }
})
process.on('disconnect', () => {
  over = true
  process.exit(0)
})

async function repeat(name: string, attack: Attack, aim: Aim): Promise<void> {
  while (!over) {
    const outcome = await attack.round(aim)
    const counts = outcomes[name] ?? {}
    counts[outcome] = (counts[outcome] ?? 0) + 1
    outcomes[name] = counts
    // Who is cut off comes again, but a processor that only connects would attack itself.
    await pause(20)
  }
}
