/**
 * `npm run models:unknown -- <address>`: what the channels of an installation serve and `known-models.json` does not know, one
 * name a line. The access token of an admin is read from ACCESS_TOKEN, so that it stands in no list of processes.
 */
const [address] = process.argv.slice(2)
const token = process.env.ACCESS_TOKEN
if (address === undefined || !token) {
  console.error('Usage: ACCESS_TOKEN=… npm run models:unknown -- https://gateway.example')
  process.exit(2)
}

const response = await fetch(new URL('/api/models/unknown', address), {
  headers: { authorization: `Bearer ${token}` },
}).catch((error) => fail(error.cause?.message ?? error.message))
const answer = await response.json().catch(() => fail(`HTTP ${response.status}, and no JSON.`))
if (answer.success !== true) fail(answer.message ?? `HTTP ${response.status}`)
for (const name of answer.data) console.log(name)
console.error(`${answer.data.length} served models are not in the table.`)

function fail(reason) {
  console.error(`The list could not be read: ${reason}`)
  process.exit(1)
}
