"""A program for the archived plugin. It does not declare the delayed exchange, and binds to shop.due."""
import os
import pika

connection = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
channel = connection.channel()
channel.exchange_declare("shop", passive=True)
channel.queue_declare("python", durable=True)
channel.queue_bind("python", "shop.due", "python")
for text, delay in (("second", 2000), ("first", 500), ("at once", 0)):
    channel.basic_publish("shop", "python", text, pika.BasicProperties(headers={"x-delay": delay}))
for method, properties, body in channel.consume("python"):
    print(body.decode(), properties.headers["x-delay"], flush=True)
    channel.basic_ack(method.delivery_tag)
    if body == b"second":
        break
connection.close()
