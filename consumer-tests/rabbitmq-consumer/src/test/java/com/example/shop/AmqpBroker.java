package com.example.shop;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.idempotency.test.servers.FreePort;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/** An AMQP 0-9-1 broker in this JVM that keeps its messages in memory and listens on the loopback interface. */
final class AmqpBroker implements AutoCloseable {

    private final SystemLauncher launcher = new SystemLauncher();
    private final int port = FreePort.next();

    static AmqpBroker start() {
        AmqpBroker broker = new AmqpBroker();
        try {
            broker.launcher.startup(Map.of(
                    "type",
                    "Memory",
                    "initialConfigurationLocation",
                    AmqpBroker.class.getResource("/broker.json").toString(),
                    "startupLoggedToSystemOut",
                    false,
                    "context",
                    Map.of("qpid.amqp_port", String.valueOf(broker.port))));
            broker.declareQueues();
            return broker;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void declareQueues() throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("dead", "fanout", true);
            channel.queueDeclare("dead-orders", true, false, false, Map.of());
            channel.queueBind("dead-orders", "dead", "");
            // in RabbitMQ: x-dead-letter-exchange
            Map<String, Object> deadLettered = Map.of("alternateExchange", "dead", "x-qpid-maximum-delivery-count", 1);
            channel.queueDeclare("orders", true, false, false, deadLettered);
            channel.queueDeclare("parcels", true, false, false, deadLettered);
            channel.queueDeclare("letters", true, false, false, deadLettered);
            channel.queueDeclare("notes", true, false, false, deadLettered);
        }
    }

    private Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        return factory.newConnection();
    }

    /** The number of messages that wait in the queue. */
    long waiting(String queue) {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            return channel.messageCount(queue);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        launcher.shutdown();
    }
}
