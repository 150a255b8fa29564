// Prints the path of the newest leaf of a log: each line is parsed whole, and the entries
// are kept by id.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

const entries = new Map()
const parents = new Set()
for await (const line of createInterface({ input: createReadStream(process.argv[2]), crlfDelay: Infinity })) {
  if (!line.trim()) continue
  const e = JSON.parse(line)
  if (!e.uuid) continue
  entries.set(e.uuid, e)
  if (e.parentUuid) parents.add(e.parentUuid)
}
let leaf
for (const e of entries.values()) {
  if (!parents.has(e.uuid) && !e.isSidechain && (!leaf || e.timestamp >= leaf.timestamp)) leaf = e
}
const path = []
for (let e = leaf; e; e = entries.get(e.parentUuid)) path.unshift(e)
for (const e of path) {
  if (!process.stdout.write(JSON.stringify(e) + '\n')) await new Promise((done) => process.stdout.once('drain', done))
}
