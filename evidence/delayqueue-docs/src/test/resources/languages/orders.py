import os
import pika

connection = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
channel = connection.channel()
channel.confirm_delivery()  # basic_publish returns when the broker has the message

channel.queue_declare("expired.python", durable=True)
channel.queue_bind("expired.python", "shop.due", "expired.python")


def publish(body, headers):
    properties = pika.BasicProperties(delivery_mode=2, headers=headers)
    channel.basic_publish("shop", "expired.python", body, properties)


publish("order 1 after 60 s", {"x-delay": 60_000, "x-delay-id": "python-1"})
publish("order 1 after 1 s", {"x-delay": 1_000, "x-delay-id": "python-1"})  # replaces the first one
publish("order 2", {"x-delay": 1_000, "x-delay-id": "python-2"})
publish("", {"x-delay-cancel": True, "x-delay-id": "python-2"})  # order 2 was paid
publish("order 3", {"x-delay": 2_000})

for method, properties, body in channel.consume("expired.python"):
    print(body.decode(), flush=True)
    channel.basic_ack(method.delivery_tag)
    if body == b"order 3":
        break
connection.close()
