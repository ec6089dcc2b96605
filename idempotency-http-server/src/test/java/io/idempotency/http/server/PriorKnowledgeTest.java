package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Http2Test.Http2Controller;
import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 from the first byte on, as proxies and service meshes speak it without TLS. */
@MicronautTest
@Property(name = "test.http2", value = "true")
@Property(name = "micronaut.server.http-version", value = "2.0")
@Property(name = "idempotency.http.routes.http2-configured.path", value = "/http2/configured")
class PriorKnowledgeTest {

    @Inject
    EmbeddedServer server;

    @Inject
    Http2Controller controller;

    private final EventLoopGroup threads = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final String key = UUID.randomUUID().toString();
    private Channel connection;

    /** What came back on a stream. */
    private record Answer(String status, boolean replayed, String body) {}

    @BeforeEach
    void connect() throws InterruptedException {
        controller.bodies.set(0);
        controller.result = new CompletableFuture<>();
        connection = new Bootstrap()
                .group(threads)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(Http2FrameCodecBuilder.forClient().build())
                                .addLast(new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                    }
                })
                .connect("127.0.0.1", server.getPort())
                .sync()
                .channel();
    }

    @AfterEach
    void disconnect() {
        connection.close();
        threads.shutdownGracefully();
    }

    /** Collects the frames of one stream. */
    private static final class Answering extends ChannelInboundHandlerAdapter {
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private final StringBuilder body = new StringBuilder();
        private Http2Headers head = new DefaultHttp2Headers();

        @Override
        public void channelRead(ChannelHandlerContext context, Object frame) {
            boolean last = false;
            if (frame instanceof Http2HeadersFrame headers) {
                head = headers.headers();
                last = headers.isEndStream();
            } else if (frame instanceof Http2DataFrame data) {
                body.append(data.content().toString(StandardCharsets.UTF_8));
                last = data.isEndStream();
            }
            ReferenceCountUtil.release(frame);
            if (last) {
                answer.complete(
                        new Answer(head.status().toString(), head.contains("idempotent-replayed"), body.toString()));
            }
        }
    }

    private CompletableFuture<Answer> send(String path) {
        Answering answering = new Answering();
        new Http2StreamChannelBootstrap(connection).handler(answering).open().addListener(opened -> {
            Channel stream = (Channel) opened.getNow();
            stream.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers()
                    .method("POST")
                    .scheme("http")
                    .authority("localhost")
                    .path("/http2/" + path)
                    .add("content-type", "application/json")
                    .add("idempotency-key", key)));
            stream.writeAndFlush(
                    new DefaultHttp2DataFrame(Unpooled.copiedBuffer("\"a\"", StandardCharsets.UTF_8), true));
        });
        return answering.answer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"annotated", "configured"})
    void ofManyStreamsOneRunsAndItsAnswerIsReplayed(String path) {
        List<CompletableFuture<Answer>> all =
                Stream.generate(() -> send(path)).limit(20).toList();
        Awaitility.await()
                .until(() -> all.stream().filter(CompletableFuture::isDone).count() == 19);
        controller.result.complete("done");
        assertThat(all.stream().map(each -> each.join().status()))
                .containsOnly("200", "409")
                .containsOnlyOnce("200");
        assertThat(send(path).join()).isEqualTo(new Answer("200", true, "done"));
        assertThat(controller.bodies).hasValue(1);
    }
}
