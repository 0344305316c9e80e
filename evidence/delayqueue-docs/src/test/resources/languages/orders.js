const amqp = require('amqplib')

async function main() {
  const connection = await amqp.connect(process.env.AMQP_URL)
  const channel = await connection.createConfirmChannel()
  await channel.assertQueue('expired.node', { durable: true })
  await channel.bindQueue('expired.node', 'shop.due', 'expired.node')

  const publish = (body, headers) =>
    channel.publish('shop', 'expired.node', Buffer.from(body), { persistent: true, headers })

  publish('order 1 after 60 s', { 'x-delay': 60_000, 'x-delay-id': 'node-1' })
  publish('order 1 after 1 s', { 'x-delay': 1_000, 'x-delay-id': 'node-1' }) // replaces the first one
  publish('order 2', { 'x-delay': 1_000, 'x-delay-id': 'node-2' })
  publish('', { 'x-delay-cancel': true, 'x-delay-id': 'node-2' }) // order 2 was paid
  publish('order 3', { 'x-delay': 2_000 })
  await channel.waitForConfirms()

  await channel.consume('expired.node', async message => {
    const body = message.content.toString()
    console.log(body)
    channel.ack(message)
    if (body === 'order 3') {
      await channel.close()
      await connection.close()
    }
  })
}

main()
