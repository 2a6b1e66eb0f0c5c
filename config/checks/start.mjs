/** `npm start`: builds where the sources are newer than `dist/`, then runs the program in this very process. */
import { build } from './build.mjs'

process.setSourceMapsEnabled(true)
try {
  await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
await import('../../dist/config/start.js')
